"""Leaderboards: CodaLab, Codabench, Kaggle, AlpacaEval; challenges: challengeR."""

import json

from format_samples import Sample

CODALAB = """\
Final phase

User,Set 1,Set 1,Set 2
,AUC,Error,AUC
ana,0.84 (1),0.20 (2),0.79 (1)
bo,0.80 (2),0.15 (1),0.75 (2)
cem,0.71 (3),0.31 (3),0.70 (3)


"""
NEW_CODALAB = """\
submission_pk,User,AUC,Error
901,ana,0.84 (1),0.20 (3)
902,bo,0.80 (2),0.15 (1)
903,cem,0.71 (3),0.18 (2)
904,dee,0.70 (4),0.31 (4)
"""
ONE_TASK = """\
Username,fact_sheet_answers,Roads(12)-Accuracy,Roads(12)-Speed
ana-345,,0.91,3
bo-350,,0.88,9
"""
CODABENCH = """\
Username,fact_sheet_answers,"Roads(12)-Accuracy","Rivers(13)-Accuracy"
ana-345,,0.91,0.80
bo-350,{'method': 'forest'},0.88,0.79
"""
KAGGLE = """\
Rank,TeamId,TeamName,LastSubmissionDate,Score,SubmissionCount,TeamMemberUserNames
1,901,The Overfitters,2026-01-05 10:11:12,0.91234,31,"ana,bo"
2,902,lone wolf,2026-01-04 09:00:00,0.90871,4,cem
3,903,baseline,2026-01-01 00:00:01,0.50000,1,dee
"""
OPEN_LLM = """\
eval_name,Precision,T,Model,fullname,Average ⬆️,Hub ❤️,#Params (B),Flagged,\
IFEval Raw,IFEval,GPQA Raw,GPQA,Submission Date,Generation
lab_fox_bfloat16,bfloat16,🟢,<a href="x">lab/fox</a>,lab/fox,35.1,9,7.2,False,\
0.6,60.0,0.32661,10.2,2024-06-26,1
lab_fox_float16,float16,🟢,<a href="x">lab/fox</a>,lab/fox,34.5,9,7.2,False,\
0.59,59.0,0.325,10.0,2024-06-26,1
lab_owl_bfloat16,bfloat16,🟢,<a href="x">lab/owl</a>,lab/owl,24.0,99,70.6,True,\
0.4,40.0,0.31,8.0,2024-06-27,0
"""
BOARD = """\
,win_rate,standard_error,n_wins,n_wins_base,n_draws,n_total,mode,avg_length,\
length_controlled_winrate,lc_standard_error
verbose-9b,55.2,1.7,444,361,0,805,community,3100,41.0,0.4
terse-9b,48.1,1.7,387,418,0,805,community,1400,51.3,0.3
tiny-1b,9.4,1.0,76,729,0,805,community,1500,10.2,0.2
"""


def annotations(model, preferences):
    return json.dumps([
        {"instruction": f"Tell me about {topic}.", "output_1": "No.", "generator_1": "reference",
         "dataset": "selfmade", "output_2": f"{topic}!", "generator_2": model,
         "annotator": "some_judge", "preference": preference, "raw_completion": {"x": [1, 2]}}
        for topic, preference in zip(("rain", "snow", "hail"), preferences, strict=True)
    ], indent=1)  # fmt: skip


ANNOTATIONS = {
    f"{model}/some_judge/annotations.json": annotations(model, preferences)
    for model, preferences in {"alpha": [1.9, 2, 1.0], "beta": [1.2, 1.5, 1.0]}.items()
}
CHALLENGE = """\
task,alg_name,value,case
liver,unet,0.91,1
liver,unet,0.88,2
liver,otsu,0.71,1
liver,otsu,0.73,2
spleen,unet,0.85,1
spleen,otsu,0.80,1
"""
HIGHER = {"better": "higher"}
SAMPLES = [
    Sample(format="codalab", name="test.csv", content=CODALAB, winner="ana", size=(3, 3),
           states=("better", "candidate", "official")),
    Sample(format="codalab", name="new.csv", content=NEW_CODALAB, winner="bo", size=(4, 2),
           states=("better", "official")),
    Sample(format="codabench", name="one.csv", content=ONE_TASK, winner="ana-345",
           options=HIGHER, size=(2, 2), states=("official",)),
    Sample(format="codabench", name="board.csv", content=CODABENCH, winner="ana-345",
           options=HIGHER, size=(2, 2), states=("candidate",)),
    Sample(format="open-llm", name="contents.csv", content=OPEN_LLM, size=(3, 2),
           winner="lab/fox (lab_fox_bfloat16)", states=("better", "candidate", "noun")),
    Sample(format="kaggle", name="leaderboard.csv", content=KAGGLE, winner="The Overfitters",
           options=HIGHER, size=(3, 1), states=("official",)),
    Sample(format="alpaca-eval-board", name="leaderboard.csv", content=BOARD, winner="terse-9b",
           size=(3, 1), states=("better", "score", "standard_error")),
    Sample(format="challenger", name="data_matrix.csv", content=CHALLENGE, winner="unet",
           options=HIGHER, size=(2, 3), states=("judge",)),
    Sample(format="alpaca-eval", name="results", content=ANNOTATIONS, winner="alpha", size=(2, 3),
           states=("better",)),
]  # fmt: skip
