"""Mathematics without words: aggregation of rankings, models of ratings."""
