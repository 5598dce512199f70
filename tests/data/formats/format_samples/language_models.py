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


SAMPLES = [
    Sample(format="lm-eval", name="output", content=FOLDER, winner="lab/alpha-7b", size=(2, 3),
           states=("better", "standard_error")),
    Sample(format="lm-eval", name="old", content=OLD, winner="delta", size=(2, 2),
           states=("better", "cluster")),
    Sample(format="lm-eval-samples", name="logged",
           content=items("lab__alpha", [1, 1, 0, 1]) | items("lab__beta", [0, 1, 0, 0]),
           winner="lab/alpha", size=(2, 4), states=("better",)),
]  # fmt: skip
