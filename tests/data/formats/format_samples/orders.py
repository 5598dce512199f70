"""Orders of PrefLib, as it writes them today and of old."""

from format_samples import Sample

NEW = (
    "# FILE NAME: 00004-00000001.toc\n# TITLE: Films\n# DATA TYPE: toc\n"
    "# NUMBER ALTERNATIVES: 3\n# NUMBER VOTERS: 5\n# NUMBER UNIQUE ORDERS: 2\n"
    "# ALTERNATIVE NAME 1: A\n# ALTERNATIVE NAME 2: B\n# ALTERNATIVE NAME 3: C\n"
    "3: 3,{2,1}\n2: 2,3,1\n"
)
OLD = "3\n1,A\n2,B\n3,C\n4,4,2\n3,2,3,1\n1,1,3,2\n"
SAMPLES = [
    Sample(format="preflib", name="films.toc", content=NEW, winner="C", size=(3, 5),
           states=("better",)),
    Sample(format="preflib", name="old.soc", content=OLD, winner="B", size=(3, 4),
           states=("better",)),
]  # fmt: skip
