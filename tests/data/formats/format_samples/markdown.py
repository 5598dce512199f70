"""Tables of a README."""

from format_samples import Sample

README = """# TinyBench

Results of the second round.

| Model | MMLU ↑ | GSM8K ↑ | Latency (s) ↓ |
|:------|-------:|:-------:|--------------:|
| [alpha-7b](docs/alpha.md) | **61.2** ± 0.4 | 44.0 | 1.25* |
| beta-13b | 60.9 ± 0.4 | **47.5** | 2.10 |
| `gamma` | 48.3 ± 0.5 | __30.1__ | **0.80** |

Higher is better unless the arrow says otherwise.
"""
SAMPLES = [
    Sample(
        format="markdown",
        name="README.md",
        content=README,
        winner="alpha-7b",
        states=("better",),
        size=(3, 3),
    ),
    Sample(
        format="markdown",
        name="pasted.txt",
        content="model | iris | adult\n--- | --- | ---\nsvm | 0.91 | **0.85**\nrf | 0.7 | 0.84\n",
        winner="svm",
        options={"better": "higher"},
        size=(2, 2),
    ),
]
