"""Evaluations of language models: lm-evaluation-harness."""

import json

from format_samples import Sample


def harness(model, **tasks):
    """Return a result as lm-evaluation-harness writes it: each task has (metric, score, error)."""
    results = {
        task: {"alias": f" - {task}", f"{metric},none": score, f"{metric}_stderr,none": error}
        for task, (metric, score, error) in tasks.items()
    }
    results["tiny"] = {"alias": "tiny", "acc,none": 0.5, "acc_stderr,none": "N/A"}
    higher = {task: {metric: metric != "word_perplexity"} for task, (metric, *_) in tasks.items()}
    about = {
        "results": results,
        "group_subtasks": {"tiny": [*tasks]},
        "configs": {task: {"task": task, "num_fewshot": 0} for task in tasks},
        "versions": dict.fromkeys(tasks, 1.0),
        "n-shot": dict.fromkeys(tasks, 0),
        "higher_is_better": higher,
        "config": {"model": "hf", "model_args": f"pretrained={model},dtype=float16"},
        "date": 1760000000.5,
        "model_name": model,
    }
    return json.dumps(about, indent=2)


FOLDER = {
    "lab__alpha-7b/results_2026-01-05T10-11-12.345678.json": harness(
        "lab/alpha-7b", arc=("acc_norm", 0.61, 0.01), sums=("exact_match", 0.40, 0.02),
        wiki=("word_perplexity", 9.1, "N/A")
    ),
    "lab__beta-7b/results_2026-01-05T12-11-12.345678.json": harness(
        "lab/beta-7b", arc=("acc_norm", 0.55, 0.01), sums=("exact_match", 0.42, 0.02),
        wiki=("word_perplexity", 12.5, "N/A")
    ),
}  # fmt: skip
OLD = {
    f"{model}/results.json": json.dumps({
        "results": {"arc": {"acc": acc, "acc_stderr": 0.02, "acc_norm": acc + 0.03,
                            "acc_norm_stderr": 0.02}},
        "versions": {"arc": 0},
        "config": {"model": "hf-causal", "model_args": f"pretrained={model}"},
    })
    for model, acc in {"gamma": 0.3, "delta": 0.4}.items()
}  # fmt: skip


def items(model, right):
    lines = (
        {"doc_id": k, "doc": {"q": f"What is {k} + {k}?"}, "target": str(2 * k), "arguments": {},
         "resps": [["4"]], "filtered_resps": ["4"], "filter": "none", "metrics": ["exact_match"],
         "doc_hash": "f00d", "exact_match": float(hit)}
        for k, hit in enumerate(right)
    )  # fmt: skip
    return {
        f"{model}/samples_sums_2026-01-05T10-11-12.345678.jsonl": "\n".join(map(json.dumps, lines))
    }


def undated(model, **right):
    """Return what version 0.4.2 writes: arrays, whose names hold the arguments of the model."""
    return {
        f"pretrained__{model}_{task}.jsonl": json.dumps(
            [{"doc_id": k, "doc": {"q": "?"}, "target": "4", "arguments": [["?", {}]],
              "resps": [["4"]], "filtered_resps": ["4"], "acc": float(hit)}
             for k, hit in enumerate(hits)], indent=2)
        for task, hits in right.items()
    }  # fmt: skip


SAMPLES = [
    Sample(format="lm-eval", name="output", content=FOLDER, winner="lab/alpha-7b", size=(2, 3),
           states=("better", "standard_error")),
    Sample(format="lm-eval", name="old", content=OLD, winner="delta", size=(2, 2),
           states=("better", "cluster")),
    Sample(format="lm-eval-samples", name="logged",
           content=items("lab__alpha", [1, 1, 0, 1]) | items("lab__beta", [0, 1, 0, 0]),
           winner="lab/alpha", size=(2, 4), states=("better",)),
    Sample(format="lm-eval-samples", name="undated",
           content=undated("lab__one-7b,dtype__float16", arc_easy=[1, 1], mmlu=[1, 0])
           | undated("two", arc_easy=[0, 1], mmlu=[0, 0]),
           winner="lab/one-7b", size=(2, 4), states=("better", "stratum")),
]  # fmt: skip


def embedding(task, **subsets):
    scores = [
        {"hf_subset": name, "languages": ["eng-Latn"], "main_score": score, "accuracy": score}
        for name, score in subsets.items()
    ]
    return json.dumps({
        "dataset_revision": "0123abcd", "task_name": task, "mteb_version": "1.38.0",
        "scores": {"test": scores}, "evaluation_time": 12.5, "kg_co2_emissions": None,
    })  # fmt: skip


META = '{"name": "lab/small", "revision": "aaaa1111", "n_parameters": 33000000}'
MTEB = {
    "lab__small/aaaa1111/Pairs.json": embedding("Pairs", default=0.61),
    "lab__small/aaaa1111/Topics.json": embedding("Topics", en=0.50, de=0.40),
    "lab__small/aaaa1111/model_meta.json": META,
    "lab__large/bbbb2222/Pairs.json": embedding("Pairs", default=0.66),
    "lab__large/bbbb2222/Topics.json": embedding("Topics", en=0.52, de=0.44),
}
OLD_MTEB = {  # before version 1.11
    f"{model}/{task}.json": json.dumps({
        "mteb_version": "1.1.1", "mteb_dataset_name": task, "dataset_revision": "0123abcd",
        "test": {"evaluation_time": 3.5, **scores(plus)},
    })
    for model, plus in (("small", 0.0), ("large", 0.1))
    for task, scores in (
        ("Wool", lambda x: {"v_measure": 0.3 + x, "v_measure_std": 0.01}),
        ("Similar", lambda x: {"zh": {"cos_sim": {"pearson": 0.9 - x, "spearman": 0.4 + x},
                                      "euclidean": {"pearson": 0.9, "spearman": 0.9}}}),
        ("Pairing", lambda x: {"cos_sim": {"accuracy": 0.9, "ap": 0.5 + x}, "max": {"ap": 0.99}}),
        ("Sorted", lambda x: {"map": 0.2 + x, "mrr": 0.9 - x}),
    )
}  # fmt: skip


def record(model, **scores):
    """Return a record of Every Eval Ever: each evaluation has (score, error, lower is better)."""
    return json.dumps({
        "schema_version": "0.2.1",
        "evaluation_id": f"tiny/{model}/1760000000",
        "retrieved_timestamp": "1760000000",
        "source_metadata": {"source_type": "evaluation_run", "evaluator_relationship": "other",
                            "source_organization_name": "us"},
        "eval_library": {"name": "lm_eval", "version": "0.4.9"},
        "model_info": {"name": model.rpartition("/")[2], "id": model, "developer": "lab"},
        "evaluation_results": [
            {"evaluation_name": name, "source_data": {"source_type": "url", "url": ["https://x.y"]},
             "metric_config": {"lower_is_better": lower, "score_type": "continuous",
                               "min_score": 0, "max_score": 1},
             "score_details": {"score": score,
                               "uncertainty": {"standard_error": {"value": error}}}}
            for name, (score, error, lower) in scores.items()
        ],
    })  # fmt: skip


EVER = {
    "data/tiny/lab/alpha/7f1c.json": record(
        "lab/alpha", sums=(0.7, 0.02, False), toxicity=(0.1, 0.01, True)
    ),
    "data/tiny/lab/beta/9d2e.json": record(
        "lab/beta", sums=(0.6, 0.02, False), toxicity=(0.2, 0.01, True)
    ),
}


def report(resolved, unresolved, empty):
    given = [*resolved, *unresolved, *empty]
    return json.dumps({
        "total_instances": len(given), "submitted_instances": len(given),
        "resolved_instances": len(resolved), "completed_ids": [*resolved, *unresolved],
        "incomplete_ids": [], "empty_patch_ids": empty, "submitted_ids": given,
        "resolved_ids": resolved, "unresolved_ids": unresolved, "error_ids": [],
        "schema_version": 2,
    }, indent=4)  # fmt: skip


REPORTS = {
    "lab__agent-1.try.json": report(["a__a-1", "a__a-2"], ["b__b-7"], []),
    "lab__agent-2.try.json": report(["a__a-1"], ["b__b-7"], ["a__a-2"]),
}
RESOLVED = {
    f"2026010{k}_{name}/results/results.json": json.dumps(
        {"no_generation": [], "no_logs": ["b__b-7"], "resolved": ids}
    )
    for k, (name, ids) in enumerate({"one": ["a__a-1"], "two": ["a__a-1", "a__a-2"]}.items())
}


def helm(title, *columns, **rows):
    return {
        "title": title,
        "header": [{"value": "Model", "markdown": False, "metadata": {}}, *(
            {"value": name, "description": "", "markdown": False, "lower_is_better": lower,
             "metadata": {"metric": name}} for name, lower in columns
        )],
        "rows": [[{"value": name, "markdown": False},
                  *({"value": x, "markdown": False, "run_names": ["r"]} for x in scores)]
                 for name, scores in rows.items()],
        "links": [], "name": title.lower(),
    }  # fmt: skip


HELM = json.dumps([helm(
    "Accuracy", ("Mean win rate", False), ("Quiz - EM", False), ("Web - BPB", True),
    alpha=(1.0, 0.7, 0.5), beta=(0.0, 0.6, 0.8)
)], indent=2)  # fmt: skip


def helm_stats(**means):
    """Return what HELM counts of a run, with the same on disturbed questions and on training."""
    stats = []
    for metric, mean in ({"num_prompt_tokens": 412.5} | means).items():
        for split, more, x in (
            ("test", {}, mean),
            ("valid", {}, 0.99),
            ("test", {"perturbation": {"name": "typos"}}, 0.1),
        ):
            stats.append(
                {
                    "name": {"name": metric, "split": split, **more},
                    "count": 20,
                    "sum": 20 * x,
                    "sum_squared": 20 * x * x,
                    "mean": x,
                    "stddev": 0.0,
                }
            )
    return json.dumps(stats)


HELM_RUNS = {
    f"runs/v1/{scenario},model={model}/stats.json": helm_stats(exact_match=mean)
    for scenario, model, mean in (
        ("mmlu:subject=anatomy", "lab_alpha", 0.61), ("mmlu:subject=law", "lab_alpha", 0.55),
        ("mmlu:subject=anatomy", "lab_beta", 0.52), ("mmlu:subject=law", "lab_beta", 0.50),
    )
}  # fmt: skip
HELM_RUNS["releases/v1/schema.json"] = json.dumps(
    {"models": [{"name": "lab/alpha", "display_name": "Alpha (7B)"}], "run_groups": []}
)
LOGS = {
    f"20260201_{model}/logs/{issue}/report.json": json.dumps(
        {issue: {"patch_successfully_applied": True, "resolved": right, "tests_status": {}}}
    )
    for model, answers in {"one": [True, False], "two": [True, True]}.items()
    for issue, right in zip(("a__a-1", "b__b-7"), answers, strict=True)
}
RESOLVED["20260101_two/metadata.yaml"] = "info:\n  logo: x\n  name: 'Agent Two (v1)'\n"
SAMPLES += [
    Sample(format="helm-runs", name="benchmark_output", content=HELM_RUNS, winner="Alpha (7B)",
           size=(2, 2), options={"better": "higher"}),
    Sample(format="mteb", name="results", content=MTEB, winner="lab/large", size=(2, 2),
           states=("better", "repeat", "combine")),
    Sample(format="every-eval-ever", name="records", content=EVER, winner="alpha", size=(2, 2),
           states=("better", "standard_error")),
    Sample(format="swe-bench", name="reports", content=REPORTS, winner="lab/agent-1.try",
           size=(2, 3), states=("better",)),
    Sample(format="swe-bench", name="evaluation", content=RESOLVED, winner="Agent Two (v1)",
           size=(2, 3), states=("better",)),
    Sample(format="swe-bench", name="logs", content=LOGS, winner="20260201_two", size=(2, 2),
           states=("better",)),
    Sample(format="mteb", name="old", content=OLD_MTEB, winner="large", size=(2, 4),
           states=("better",)),
    Sample(format="helm", name="core.json", content=HELM, winner="alpha", size=(2, 2),
           states=("better", "official")),
]  # fmt: skip
