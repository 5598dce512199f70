"""Runs of solvers: ASlib and BenchExec."""

import bz2

from format_samples import Sample

DESCRIPTION = """scenario_id: TINY-2026
performance_measures: runtime
maximize: false
performance_type: runtime
algorithm_cutoff_time: 100
algorithm_cutoff_memory: ?
number_of_feature_steps: 1
"""
RUNS = """@RELATION ALGORITHM_RUNS_TINY-2026

@ATTRIBUTE instance_id STRING
@ATTRIBUTE repetition NUMERIC
@ATTRIBUTE algorithm STRING
@ATTRIBUTE runtime NUMERIC
@ATTRIBUTE runstatus {ok, timeout, memout, not_applicable, crash, other}

@DATA
sat/10.cnf,1,CaDiCaL,5.25,ok
sat/10.cnf,1,glucose,100.01,timeout
'sat/a b.cnf',1,CaDiCaL,70,ok
'sat/a b.cnf',1,glucose,30.5,ok
sat/12.cnf,1,CaDiCaL,2.5,ok
sat/12.cnf,1,glucose,?,crash
"""
ARFF = {"description.txt": DESCRIPTION, "algorithm_runs.arff": RUNS, "readme.txt": "by hand"}
QUALITY = {
    "description.txt": DESCRIPTION.replace("maximize: false", "maximize:\n- true")
    .replace("performance_type: runtime", "performance_type:\n- solution_quality")
    .replace("performance_measures: runtime", "performance_measures:\n- accuracy"),
    "algorithm_runs.arff": "@RELATION R\n@ATTRIBUTE instance_id STRING\n"
    "@ATTRIBUTE repetition NUMERIC\n@ATTRIBUTE algorithm STRING\n@ATTRIBUTE accuracy NUMERIC\n"
    "@ATTRIBUTE runstatus {ok}\n@DATA\ni,1,svm,0.8,ok\ni,1,rf,0.9,ok\nj,1,svm,0.7,ok\n"
    "j,1,rf,0.8,ok\n",
}
TABLE = (
    "tool\tAlpha 1.0\tAlpha 1.0\tAlpha 1.0\tBeta 2.1\tBeta 2.1\tBeta 2.1\n"
    "run set\tall\tall\tall\tall\tall\tall\n"
    "programs/\tstatus\tcategory\tcputime (s)\tstatus\tcategory\tcputime (s)\n"
    "x.c\ttrue\tcorrect\t1.5\tfalse(unreach-call)\twrong\t0.5\n"
    "y.c\tfalse(unreach-call)\tcorrect\t2.5\tTIMEOUT\terror\t900.2\n"
    "z.c\tOUT OF MEMORY\terror\t7\ttrue\tcorrect\t3.5\n"
)


def result(tool, runs):
    rows = "".join(
        f'<run name="{task}" files="[{task}]"><column title="status" value="{status}"/>'
        f'<column title="category" value="{category}" hidden="true"/>'
        f'<column title="cputime" value="{time}s"/></run>'
        for task, status, category, time in runs
    )
    text = (
        "<?xml version='1.0' encoding='UTF-8'?>\n<!DOCTYPE result PUBLIC "
        "'+//IDN sosy-lab.org//DTD BenchExec result 3.0//EN' 'dtd'>\n"
        f'<result benchmarkname="tiny" name="all" tool="{tool}" timelimit="900s">{rows}</result>'
    )
    return bz2.compress(text.encode())


XML = {
    "tiny.2026-01-01.results.alpha.xml.bz2": result(
        "Alpha", [("x.c", "true", "correct", 1.5), ("y.c", "TIMEOUT", "error", 901)]
    ),
    "tiny.2026-01-01.results.beta.xml.bz2": result(
        "Beta", [("x.c", "true", "correct", 3.5), ("y.c", "false", "correct", 9)]
    ),
}
SAMPLES = [
    Sample(format="aslib", name="TINY", content=ARFF, winner="CaDiCaL", size=(2, 3),
           states=("cutoff", "layout")),
    Sample(format="aslib", name="QUALITY", content=QUALITY, winner="rf", states=("better",)),
    Sample(format="benchexec", name="tiny.table.csv", content=TABLE, winner="Alpha 1.0",
           size=(2, 3), states=("layout",)),
    Sample(format="benchexec", name="results", content=XML, winner="Beta all", size=(2, 2),
           states=("cutoff",)),
]  # fmt: skip
