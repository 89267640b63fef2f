import type { Dataset } from '../../dataset/dataset.ts';
import { addCounts, type Count, NO_RESPONSES } from '../../statistics/base.ts';
import { type AnswerRegion, answerRegion, type Axis } from '../../statistics/crosstab/axis.ts';
import { createVariableAxis } from '../../statistics/crosstab/variable-axis.ts';
import type { ChartSeries } from '../chart-data.ts';
import { type ChartTable, buildCountTable } from '../chart-table.ts';
import {
  type CountSum,
  findSuppressedCounts,
  type Protection,
  type SharedFigures,
  roundedCount,
  roundedPercent,
} from '../disclosure/protection.ts';
import { resolveMeasure } from './measure.ts';
import { presentChartBase, presentChartColumn } from '../disclosure/disclosure.ts';
import type { CompositePlan } from './chart-plan.ts';
import type { QuestionPart } from './composite-question.ts';
import {
  computePartMeasure,
  SUPPRESSED_CELL,
  partCell,
  type PartCell,
  type PartFigures,
  partSeries,
  type PartSeries,
  type PartTable,
  createSeriesAxis,
  type CompositeSettings,
} from './part-table.ts';

/** More ranks than these are merged into the lowest part of a stacked bar. */
const MAX_RANK_PARTS = 6;
const TOP = 3;

/** How often one option has each rank, in total or in one series category. */
interface Ranks {
  /** The first is rank 1. */
  counts: Count[];
  base: Count;
}

interface OptionRanks {
  part: QuestionPart;
  total: Ranks;
  /** Null: there is no series. */
  bySeries: Ranks[] | null;
}

/** The ranks that other elements of the dashboard would reveal. */
type SharedRanks = ReadonlyMap<Ranks, ReadonlySet<number>>;

/** Reports the counts of the ranks of an option, and returns the hidden ones. */
function findSharedRanks(
  { total, bySeries }: OptionRanks,
  regions: readonly AnswerRegion[],
  { split, shared }: { split: Axis | null; shared: SharedFigures },
): [Ranks, ReadonlySet<number>][] {
  const hiddenIn = (series: readonly AnswerRegion[]) =>
    new Set(regions.flatMap((region, i) => (shared.hides([region, ...series]) ? [i + 1] : [])));
  return [
    [total, hiddenIn([])],
    ...(bySeries ?? []).map((ranks, i): [Ranks, ReadonlySet<number>] => {
      const category = split?.categories[i];
      return [
        ranks,
        split === null || category === undefined
          ? new Set()
          : hiddenIn([answerRegion(split, category.region)]),
      ];
    }),
  ];
}

interface RankSettings extends CompositeSettings {
  /** The disclosed bases of the series. */
  disclosedSeries: readonly ChartSeries[];
}

/** Computes the rank shares of a whole ranking, in percent of the respondents shown the question or of those who ranked the option. */
export function* computeRankFigures(
  dataset: Dataset,
  plan: CompositePlan,
  settings: RankSettings,
): Generator<void, PartTable> {
  const { composite, config, dimension, kind, series } = plan;
  const isStack = kind.layout === 'stack';
  const { counting, protection, base, disclosedSeries } = settings;
  const { mask } = counting;
  const split = series === null ? null : createSeriesAxis(dataset, series, counting);
  const needs = { counting, isPercent: false, isStacked: false, compares: false };
  const options: OptionRanks[] = [];
  const shared = protection?.shared?.mask === mask ? protection.shared : undefined;
  const sharedRanks = new Map<Ranks, ReadonlySet<number>>();
  const byRank: AnswerRegion[][][] = [];
  for (const part of composite.parts) {
    const axis = createVariableAxis(dataset, part.entry, false, {
      base,
      nets: [],
      mask,
      field: dimension.field,
    });
    const option = toOptionRanks(part, yield* buildCountTable(axis, split, needs));
    options.push(option);
    if (shared === undefined) continue;
    const regions = axis.categories.map(({ region }) => answerRegion(axis, region));
    for (const [rank, region] of regions.entries()) (byRank[rank] ??= []).push([region]);
    for (const [ranks, hiddenRanks] of findSharedRanks(option, regions, { split, shared }))
      sharedRanks.set(ranks, hiddenRanks);
  }
  // Each respondent gives a rank once.
  for (const groups of byRank) shared?.addPartition(groups);
  const hidden =
    protection === null ? NOTHING_SUPPRESSED : findSuppressedRanks(options, sharedRanks, protection);
  const { function: name, n = 2 } = config.aggregation;
  const shown: ShownSeries = isStack
    ? stackedParts(options, base === 'answering')
    : name === 'rank_summary'
      ? [topRanks(1, 'percent'), topRanks(TOP, 'percent'), { kind: 'mean' }]
      : [topRanks(name === 'top_box' ? n : Infinity, name === 'count' ? 'count' : 'percent')];
  const [firstShown] = shown;
  const isCount = isStack && name === 'count';
  const means = new Map<QuestionPart, PartCell>();
  if (shown.some(({ kind }) => kind === 'mean'))
    for (const part of composite.parts) means.set(part, yield* computeMeanRank(dataset, part, settings));
  const parts = options.map((option): PartFigures => {
    const { part, total, bySeries } = option;
    const hiddenRanks = hidden.ranks.get(total);
    const isSuppressed = (rank: number) => hidden.split || hiddenRanks?.has(rank) === true;
    const mean = hiddenRanks !== undefined && hiddenRanks.size > 0 ? undefined : means.get(part);
    const createRankCell = (ranks: Ranks, one: RankSeries): PartCell =>
      one.kind === 'mean'
        ? (mean ?? SUPPRESSED_CELL)
        : rankCell(one, ranks, { isSuppressed, protection, isCount });
    const cells =
      bySeries === null
        ? shown.map((one) => createRankCell(total, one))
        : bySeries.map((ranks) => createRankCell(ranks, firstShown));
    return {
      part,
      base: presentChartBase(total.base, protection),
      key: cells[0]?.value ?? null,
      cells,
      suppressed: cells.some(
        ({ value }, index) => value === null && hasFigure(shown[index] ?? firstShown, option),
      ),
    };
  });
  const disclosed = disclosedSeries[0]?.base ?? null;
  const names: PartSeries[] =
    split === null
      ? shown.map((one) => ({ ...toPartSeries(one), base: one.kind === 'mean' ? null : disclosed }))
      : split.categories.map((category, index) => partSeries(category, disclosedSeries[index]?.base ?? null));
  const seriesBy =
    series !== null
      ? presentChartColumn(series)
      : isStack
        ? // The colors of an ordered scale run from bad to good, which ranks do not.
          { column_code: dimension.entry.spec.columnCode, label: 'Rank', measure: 'nominal' as const }
        : null;
  return { parts, series: names, seriesBy, hasPartBases: base === 'answering', notes: [] };
}

/** What a series shows for each option. */
type RankSeries =
  | { kind: 'ranks'; name: string; value?: string; from: number; to: number; as: 'percent' | 'count' }
  | { kind: 'unranked'; name: string }
  | { kind: 'mean' };

type ShownSeries = readonly [RankSeries, ...RankSeries[]];

function topRanks(n: number, unit: 'percent' | 'count'): RankSeries {
  const name = n === 1 ? 'Ranked first' : n === Infinity ? 'Ranked' : `Ranked in the top ${n}`;
  return { kind: 'ranks', name, from: 1, to: n, as: unit };
}

/**
 * Each rank as a part of a bar, and the mean rank. Low ranks are merged if there are many. The last part are respondents who did not rank
 * the option.
 */
function stackedParts(options: readonly OptionRanks[], isOfRanked: boolean): ShownSeries {
  const most = Math.max(
    1,
    ...options.map(({ total }) => total.counts.findLastIndex(({ count }) => count > 0) + 1),
  );
  const single = most > MAX_RANK_PARTS ? MAX_RANK_PARTS - 1 : most;
  const singleRank = (rank: number): RankSeries => {
    return { kind: 'ranks', name: `Rank ${rank}`, value: String(rank), from: rank, to: rank, as: 'percent' };
  };
  const lower: RankSeries = {
    kind: 'ranks',
    name: `Rank ${single + 1} or lower`,
    from: single + 1,
    to: Infinity,
    as: 'percent',
  };
  return [
    singleRank(1),
    ...Array.from({ length: single - 1 }, (_, index) => singleRank(index + 2)),
    ...(most > single ? [lower] : []),
    ...(isOfRanked ? [] : [{ kind: 'unranked' as const, name: 'Not ranked' }]),
    { kind: 'mean' },
  ];
}

function toPartSeries(shown: RankSeries): Omit<PartSeries, 'base'> {
  if (shown.kind === 'mean') return { name: 'Mean rank', function: 'mean', drawn_as: 'line' };
  if (shown.kind === 'unranked') return { name: shown.name, value: null, is_rest: true };
  return { name: shown.name, ...(shown.value !== undefined && { value: shown.value }) };
}

function toOptionRanks(part: QuestionPart, { rows, base, series }: ChartTable): OptionRanks {
  const total = { counts: rows.map((row) => row.total.count), base };
  const bySeries =
    series?.map((one, index) => ({
      counts: rows.map(({ cells }) => cells[index]?.count ?? NO_RESPONSES),
      base: one.base,
    })) ?? null;
  return { part, total, bySeries };
}

interface RankDisclosure {
  isSuppressed: (rank: number) => boolean;
  protection: Protection | null;
  /** Parts of bars show numbers of respondents. */
  isCount: boolean;
}

/** The mean rank of an option, as a chart of its column alone would show it. */
function* computeMeanRank(
  dataset: Dataset,
  part: QuestionPart,
  settings: RankSettings,
): Generator<void, PartCell> {
  const measure = resolveMeasure(part.entry, { function: 'mean' }, 'dimension');
  const one = { part, measure, series: null, level: null };
  const { disclosed } = yield* computePartMeasure(dataset, one, settings);
  return { ...partCell(disclosed.series[0], 0), percent: null };
}

function rankCell(
  shown: Exclude<RankSeries, { kind: 'mean' }>,
  { counts, base }: Ranks,
  { isSuppressed, protection, isCount }: RankDisclosure,
): PartCell {
  const chosen = counts
    .map((count, index) => ({ count, rank: index + 1 }))
    .filter(({ rank }) => shown.kind === 'ranks' && rank >= shown.from && rank <= shown.to);
  if (shown.kind === 'unranked' ? isSuppressed(0) : chosen.some(({ rank }) => isSuppressed(rank)))
    return SUPPRESSED_CELL;
  const found =
    shown.kind === 'unranked'
      ? subtractCount(base, addCounts(...counts))
      : addCounts(...chosen.map(({ count }) => count));
  const isRounded = protection?.isRounded === true;
  const exact = base.weight > 0 ? (100 * found.weight) / base.weight : null;
  const percent = isRounded ? roundedPercent(found.weight, base.weight) : exact;
  const count = isRounded ? roundedCount(found.count) : found.count;
  const weight = isRounded ? roundedCount(found.weight) : found.weight;
  return {
    value: isCount || (shown.kind === 'ranks' && shown.as === 'count') ? weight : percent,
    count,
    percent,
  };
}

const hasFigure = (shown: RankSeries, { total }: OptionRanks): boolean =>
  shown.kind === 'mean' ? total.counts.some(({ count }) => count > 0) : total.base.count > 0;

const subtractCount = (total: Count, part: Count): Count => ({
  count: total.count - part.count,
  weight: total.weight - part.weight,
  squaredWeight: total.squaredWeight - part.squaredWeight,
});

/** The ranks that must be suppressed; 0: not ranked. */
interface SuppressedRanks {
  /** By the ranks of an option in total. */
  ranks: ReadonlyMap<Ranks, ReadonlySet<number>>;
  /** Whether everything is suppressed because of a series. */
  split: boolean;
}

const NOTHING_SUPPRESSED: SuppressedRanks = { ranks: new Map(), split: false };

/**
 * Finds the ranks of each option that must be suppressed. The counts of an option add up to the respondents who were shown
 * the question, and the counts of a rank to the respondents who gave it, so a single suppressed count could be derived. With a series,
 * everything is suppressed if any count of the series or of the total is suppressed.
 */
function findSuppressedRanks(
  options: readonly OptionRanks[],
  sharedRanks: SharedRanks,
  { minBase }: Protection,
): SuppressedRanks {
  const ranks = findSuppressedAmong(
    options.map((option) => option.total),
    sharedRanks,
    minBase,
  );
  const width = options[0]?.bySeries?.length ?? 0;
  const bySeries = Array.from({ length: width }, (_, index) =>
    findSuppressedAmong(
      options.flatMap((option) => option.bySeries?.[index] ?? []),
      sharedRanks,
      minBase,
    ),
  );
  const hasAny = [ranks, ...bySeries].some((one) => [...one.values()].some(({ size }) => size > 0));
  return { ranks, split: width > 0 && hasAny };
}

function findSuppressedAmong(
  options: readonly Ranks[],
  sharedRanks: SharedRanks,
  minBase: number,
): ReadonlyMap<Ranks, ReadonlySet<number>> {
  const counts: number[] = [];
  const sums: CountSum[] = [];
  const sensitive = new Set<number>();
  const add = (count: number) => ({ index: counts.push(count) - 1, count });
  const lines = options.map((option) => {
    const ranked = option.counts.map(({ count }) => add(count));
    const unranked = add(option.base.count - ranked.reduce((sum, { count }) => sum + count, 0));
    const cells = [unranked, ...ranked];
    for (const rank of sharedRanks.get(option) ?? [])
      for (const { index } of cells.slice(rank, rank + 1)) sensitive.add(index);
    sums.push({ total: add(option.base.count).index, parts: cells.map(({ index }) => index) });
    return { option, cells };
  });
  const most = Math.max(0, ...lines.map(({ cells }) => cells.length));
  for (let rank = 1; rank < most; rank++) {
    const parts = lines.flatMap(({ cells }) => cells[rank] ?? []);
    const total = add(parts.reduce((sum, { count }) => sum + count, 0));
    sums.push({ total: total.index, parts: parts.map(({ index }) => index) });
  }
  const hidden = findSuppressedCounts(counts, sums, { minBase, sensitive });
  return new Map(
    lines.map(({ option, cells }) => {
      const ranks = cells.flatMap(({ index }, rank) => (hidden.has(index) ? [rank] : []));
      return [option, new Set(ranks)];
    }),
  );
}
