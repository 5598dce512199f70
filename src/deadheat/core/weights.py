"""What a remark weighs: from 0 to 1, how much it could change the reader's mind.

A terminal shows five remarks, the heaviest first: whoever adds one looks here whom it pushes out.
What a weight between two of these means is by degree, as the share of scores that are missing.
"""

from __future__ import annotations

MISREAD = 0.98  # the table is perhaps not what was read: a direction, a column, a row, a track
GONE = 0.95  # most of the data are gone, or count for whom they should count against
REFUTED = 0.94  # the official winner is not first
OTHER_WINNER = 0.92  # another choice about the data, as good as this one, has another winner
BLIND = 0.9  # nothing shows how far scores would vary, those of the winner or of others
COUNTING = 0.9  # most other ways of counting have another winner
FEW_DECIDE = 0.8  # one judge alone, or a scale, decides who is first
OTHER_ORDER = 0.78  # another choice about the data, as good as this one, has another order
STRICTER = 0.75  # other tests would make another headline
COUNTING_OF_SOME = 0.7  # some other ways of counting have another winner
CAUTION = 0.6  # a warning that does not say what it weighs
ODDS = 0.5  # how often the first is expected to beat the next
NARROW = 0.5  # numbers are less sure than they look
SUPPORT = 0.4  # what speaks for the answer
SURE = 0.35  # the same, where little else could be expected
LITTLE = 0.2  # below it a remark makes nobody doubt
TRIFLE = 0.1
