"""What stands in the JSON of ``deadheat rate`` and of its tables."""

from __future__ import annotations

from functools import partial
from typing import Annotated, NotRequired, Required, TypedDict

from msgspec import Meta

from deadheat.core.options import RATING_TABLES
from deadheat.output.schema import (
    Candidate,
    Count,
    DataProvenance,
    Group,
    Names,
    Place,
    Schema,
    Share,
    Size,
    Tournament,
    others,
    with_options,
)
from deadheat.rate.options import Options

TieSize = Annotated[str, Meta(title="size")]


class TournamentPart(TypedDict, total=False):
    tournament: Annotated[str, "the data set, where there are several"]


class Part(TournamentPart, total=False):
    category: Annotated[str, "the category, where there are several"]


@partial(with_options, DataProvenance, Options)
class RateProvenance(TypedDict):
    step: Annotated[float | None, "of Elo"]
    replicates: Annotated[Count | None, "resamples, where there are any"]
    plan: Annotated[str | None, "how they were drawn"]
    battles: NotRequired[Annotated[Size, "that were rated of a log"]]
    show_only: NotRequired[Annotated[Names, "whom tables and pictures show; all are rated"]]
    tournament_weights: NotRequired[Annotated[str | dict[Tournament, float] | None, "as asked"]]


class TournamentFacts(TypedDict):
    candidates: Annotated[Count, "how many it has"]
    weight: Annotated[float, "how much it counts"]
    connected: Annotated[bool | None, "whether matches join everybody"]
    strongly_connected: Annotated[bool | None, "whether wins do, both ways"]
    separated: Annotated[bool | None, "whether plain ratings do not exist"]
    deviance: Annotated[float | None, "of the fit"]
    deviance_p: Annotated[Share | None, "of the fit, by simulation"]
    groups: Annotated[list[Group], "the sizes of the tie groups"]
    split_sd: Annotated[Size | None, "the noise from round to round"]
    first: NotRequired[Annotated[Names, "who has the highest rating"]]
    level: NotRequired[Annotated[Names, "whom tests do not separate from these"]]
    too_few: NotRequired[Annotated[bool, "whether its matches are too few for a test"]]


class RateRow(Part):
    """One row per candidate (and tournament or category), the highest rating first."""

    candidate: Annotated[str, "its name"]
    rating: Annotated[float, "on the scale of the facts"]
    mle: Annotated[float | str | None, "the plain rating: a number, +inf, -inf or null"]
    within: NotRequired[Annotated[float | None, "the rating inside its strongly connected part"]]
    se: Annotated[Size | None, "the standard error"]
    low: Annotated[float | None, "the lower end of the interval; null: open"]
    high: Annotated[float | None, "the upper end; null: open"]
    wins: Annotated[Size, "matches won"]
    losses: Annotated[Size, "matches lost"]
    ties: Annotated[Size, "matches tied"]
    rank: Annotated[Place, "1 is the highest rating"]
    rank_low: Annotated[Place | None, "the best rank in its range"]
    rank_high: Annotated[Place | None, "the worst"]
    first_share: Annotated[Share | None, "of resamples in which it is first"]
    group: Annotated[Group, "its tie group, 1 is best"]
    split_sd: NotRequired[Annotated[Size, "the noise from round to round of the tournament"]]


class CorrectedLeader(TypedDict):
    candidate: Annotated[str, "who has the highest rating"]
    rating: Annotated[float, "less what the highest of many owes to luck"]
    low: Annotated[float, "the lower end of its interval"]
    high: Annotated[float, "the upper end"]


class WorstPair(TypedDict):
    first: Annotated[str, "a candidate"]
    second: Annotated[str, "another one"]
    battles: Annotated[Size, "between them"]
    observed: Annotated[Share, "the share that the first won"]
    fitted: Annotated[Share, "the share that the ratings say"]
    residual: Annotated[float, "the difference in standard errors"]


class Circumstance(TypedDict):
    name: Annotated[str, "of the covariate, or of the side"]
    log_odds: Annotated[float, "that one unit is worth"]
    se: Annotated[Size | None, "of that"]
    typical: Annotated[float, "difference of the covariate"]
    log_odds_of_typical: Annotated[float, "that it is worth"]


class MeansRow(TypedDict):
    candidate: Annotated[str, "its name"]
    mean: Annotated[float, "its mean rating over the tournaments"]
    se: Annotated[Size | None, "the standard error of that; null over categories"]
    low: Annotated[float | None, "the lower end of the interval of the mean"]
    high: Annotated[float | None, "the upper end"]
    rank_low: Annotated[Place | None, "the best rank in its range"]
    rank_high: Annotated[Place | None, "the worst"]
    first_share: Annotated[Share | None, "of resamples in which it is first"]
    group: Annotated[Group | None, "its tie group, 1 is best"]
    rank: Annotated[Place, "1 is the highest mean"]
    sd: Annotated[Size, "how far its ratings vary over the tournaments"]
    lowest: Annotated[float, "its lowest rating"]
    lowest_on: Annotated[str, "where that is"]
    highest: Annotated[float, "its highest rating"]
    highest_on: Annotated[str, "where that is"]
    penalised_on: Annotated[Count, "tournaments without a finite plain rating of it"]


class CalibrationRow(Part):
    low: Annotated[float, "from this fitted share on"]
    high: Annotated[float, "up to this one"]
    pairs: Annotated[Count, "of candidates in it"]
    matches: Annotated[Size, "between them"]
    fitted: Annotated[Share, "what favourites should win"]
    observed: Annotated[Share, "what they won"]


class RateFacts(TypedDict, total=False):
    model: Annotated[str, "of the ratings"]
    scale: Annotated[str, "of the ratings"]
    anchor: Annotated[str | None, "whose rating is fixed"]
    origin: Annotated[float, "the rating of the anchor, or of an average candidate"]
    candidates: Annotated[Count, "how many are rated, also where rows show fewer"]
    calibration: Annotated[list[CalibrationRow], "what favourites should win and won, by classes"]
    errors: Annotated[str, "how they were found"]
    interval: Annotated[str, "its kind"]
    drawn: Annotated[str, "what was resampled, in words"]
    groups: Annotated[list[Group], "the sizes of the tie groups, best first"]
    members: Annotated[list[Names], "who is in them"]
    undecided: Annotated[bool, "whether resamples or units are too few for a test"]
    leader_corrected: Annotated[CorrectedLeader | None, "what the highest is worth without luck"]
    detectable: Annotated[Size | None, "the lead that is seen in 4 of 5 cases; null without a tie"]
    split_sd: Annotated[Size | None, "the noise from round to round"]
    separated: Required[Annotated[bool | None, "whether plain ratings do not exist"]]
    connected: Annotated[bool | None, "whether matches join everybody"]
    strongly_connected: Annotated[bool | None, "whether wins do, both ways"]
    undefeated: Annotated[Names, "who never lost"]
    winless: Annotated[Names, "who never won"]
    parts: Annotated[list[Names], "the parts that wins join both ways"]
    part_sizes: Annotated[list[Count], "their sizes"]
    penalty: Annotated[str, "that was used"]
    ties_as: Annotated[str, "how ties were modelled"]
    tie_parameter: Annotated[float | None, "of that model"]
    tie_parameters: Annotated[dict[TieSize, float], "of Plackett-Luce, by size of the tie"]
    log_likelihood: Annotated[float | None, "of the fit"]
    deviance: Required[Annotated[float | None, "of the fit"]]
    deviance_df: Annotated[int, "its degrees of freedom"]
    deviance_expected: Annotated[float | None, "its mean where the model is true"]
    deviance_p: Annotated[Share | None, "how often simulations fit worse"]
    explained: Annotated[float | None, "the share of the deviance of equal ratings"]
    cyclic_triples: Annotated[Count, "of candidates, each beating the next"]
    triples: Annotated[Count, "that could be cyclic"]
    worst_pair: Annotated[WorstPair | None, "which the ratings fit worst"]
    simulations: Annotated[Count, "of the fit"]
    step: Annotated[float, "of Elo"]
    shuffles: Annotated[Count | None, "orders of the battles that were averaged"]
    order_sd: Annotated[dict[Candidate, float] | None, "what the order of battles does"]
    mean: Annotated[dict[Candidate, float], "of the believed skill"]
    deviation: Annotated[dict[Candidate, float], "of the believed skill"]
    beta: Annotated[float, "the noise of a performance"]
    draw_probability: Annotated[float | None, "of equals"]
    circumstances: Annotated[list[Circumstance], "what covariates and sides are worth"]
    kind: Annotated[str, "of the parts: tournament or category"]
    tournaments: Annotated[dict[Tournament, TournamentFacts], "what is true of each"]
    means: Annotated[list[MeansRow] | None, "over the tournaments; null if candidates differ"]
    left_out: Annotated[dict[Tournament, str], "why it could not be rated"]
    reversed: Annotated[Names | None, "tournaments that go against the others"]
    reversed_beyond_noise: Annotated[Names | None, "of these, more than noise explains"]


@others("<candidate>", float | None, "the chance to beat that one")
class MatrixRow(Part):
    candidate: Annotated[str, "its name"]


class PairsRow(Part):
    first: Annotated[str, "a candidate"]
    second: Annotated[str, "another one, rated lower"]
    difference: Annotated[float, "of their ratings"]
    low: Annotated[float | None, "the lower end of its interval"]
    high: Annotated[float | None, "the upper end"]
    p_beats: Annotated[Share, "the chance that the first wins"]
    p_low: Annotated[Share, "the lower end of that"]
    p_high: Annotated[Share, "the upper end"]
    p_value: Annotated[Share | None, "that there is no difference, of the pair alone"]
    p_adjusted: Annotated[Share | None, "of all pairs at once"]
    won: NotRequired[Annotated[Size, "matches between them that the first won"]]
    lost: NotRequired[Annotated[Size, "that it lost"]]
    tied: NotRequired[Annotated[Size, "that nobody won"]]


class GroupsRow(Part):
    group: Annotated[Group, "its number"]
    size: Annotated[Count, "how many are in it"]
    candidates: Annotated[str, "who"]


class TunabilityRow(TournamentPart):
    algorithm: Annotated[str, "its name"]
    settings: Annotated[Count, "how many it has"]
    range: Annotated[Size, "between its best and its worst"]
    iqr: Annotated[Size, "between its quartiles"]
    sd: Annotated[Size | None, "of its ratings"]
    best: Annotated[str, "its best setting"]
    gain: Annotated[float | None, "of the best over the first setting"]
    p_beats_default: Annotated[Share | None, "the chance that it beats the first"]
    held_out: Annotated[float | None, "the gain on rounds that did not choose it"]
    p_held_out: Annotated[Share | None, "the chance on these"]


class TuningRow(TournamentPart):
    algorithm: Annotated[str, "its name"]
    trial: Annotated[Count, "the number of the trial, the default setting first"]
    setting: Annotated[str, "that was tried"]
    rating: Annotated[float, "of the setting"]
    cost: NotRequired[Annotated[Size, "of the trial, in all its rounds"]]
    spent: NotRequired[Annotated[Size, "on this and all before"]]
    best: Annotated[str, "the best setting so far"]
    p_beats_default: Annotated[Share | None, "the chance that the best so far beats the default"]
    p_beats_before: Annotated[Share | None, "that this one beats the best before"]
    p_next: Annotated[Share | None, "that the best of the next trials beats the best so far"]
    p_random: Annotated[Share, "that as many more bring a new best, in random order"]
    stop: Annotated[bool, "whether the stop rule has stopped"]


class EnsemblesRow(TournamentPart, total=False):
    ensemble: Required[Annotated[str, "a candidate made of others"]]
    member: Required[Annotated[str, "one of them"]]
    gain: Annotated[float | None, "of the ensemble over the member alone; null if not rated"]
    low: Annotated[float | None, "the lower end of its interval"]
    high: Annotated[float | None, "the upper end"]
    p_beats: Annotated[Share | None, "the chance that the ensemble beats the member"]
    adds: Annotated[float | None, "what the member adds: gain over the ensemble without it"]
    adds_low: Annotated[float | None, "the lower end of its interval"]
    adds_high: Annotated[float | None, "the upper end"]
    p_adds: Annotated[Share | None, "the chance that the ensemble beats the one without"]
    without: Annotated[str | None, "the ensemble without the member; null if not rated"]


class NavigationRow(TypedDict):
    tournament: Annotated[str, "the data set"]
    tried: Annotated[Count, "settings that were tried on it"]
    best: Annotated[str, "the best of these"]
    guess: Annotated[str, "the one of these that is best on the other data sets"]
    guess_rank: Annotated[Place, "its rank here"]
    p_best_beats_guess: Annotated[Share, "the chance that the best beats it here"]
    trials_to_best: Annotated[Count, "until the best is found, in the order of the others"]
    trials_at_random: Annotated[float, "the same in random order, on average"]
    next: Annotated[str | None, "the untried setting that is best on the others"]
    p_next: Annotated[Share | None, "the chance, on the others, that it beats the best of here"]


class TournamentsRow(Part):
    with_others: Annotated[float | None, "the correlation with the others"]
    low: Annotated[float | None, "the lower end of its interval"]
    high: Annotated[float | None, "the upper end"]
    p_reversed: Annotated[Share | None, "that it goes against them by chance"]
    other_order: Annotated[Share | None, "the share of pairs in another order"]
    spread: Annotated[float | None, "of its ratings"]
    split_sd: Annotated[Size | None, "the noise from round to round"]


@others("pc<k>", float, "the place on the k-th principal component")
class EmbeddingRow(TypedDict):
    kind: Annotated[str, "point or loading"]
    name: Annotated[str, "of the tournament, or of the candidate"]


RATE = Schema(name="deadheat.rate/1", rows=RateRow, facts=RateFacts, made=RateProvenance)
TABLE = Schema(
    name="deadheat.rate-table/1",
    about="One of the tables that ratings can be told in.",
    made=RateProvenance,
    tables=dict(
        zip(
            RATING_TABLES,
            (
                *(PairsRow, MatrixRow, GroupsRow, CalibrationRow),
                *(TunabilityRow, TuningRow, EnsemblesRow),
                *(MeansRow, TournamentsRow, NavigationRow, EmbeddingRow),
            ),
            strict=True,
        )
    ),
)
