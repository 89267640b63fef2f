import type { Dataset } from '../dataset/dataset.ts';
import { addCounts, type Count } from '../statistics/base.ts';
import { createVariableAxis } from '../statistics/crosstab/variable-axis.ts';
import type { ChartSeries } from './chart-data.ts';
import { type ChartTable, buildCountTable } from './chart-table.ts';
import {
  type CountSum,
  findSuppressedCounts,
  type Protection,
  roundedCount,
  roundedPercent,
} from './protection.ts';
import { resolveMeasure } from './measure.ts';
import { presentChartBase, presentChartColumn } from './disclosure.ts';
import type { ChartPlan } from './chart-plan.ts';
import type { QuestionPart } from './composite-question.ts';
import {
  computePartMeasure,
  SUPPRESSED_CELL,
  type PartCell,
  type PartFigures,
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
  total: Ranks;
  /** Null: there is no series. */
  bySeries: Ranks[] | null;
}

interface RankSettings extends CompositeSettings {
  /** The disclosed bases of the series. */
  disclosedSeries: readonly ChartSeries[];
}

/** Computes the rank shares of a whole ranking, in percent of the respondents shown the question or of those who ranked the option. */
export function* computeRankFigures(
  dataset: Dataset,
  plan: ChartPlan,
  settings: RankSettings,
): Generator<void, PartTable> {
  const { composite, config, dimension, kind, series } = plan;
  const isStack = kind.layout === 'stack';
  const { counting, protection, base, disclosedSeries } = settings;
  const { mask } = counting;
  const split = series === null ? null : createSeriesAxis(dataset, series, counting);
  const needs = { counting, isPercent: false, isStacked: false, compares: false };
  const ranks: OptionRanks[] = [];
  for (const { entry } of composite!.parts) {
    const axis = createVariableAxis(dataset, entry, false, { base, nets: [], mask, field: dimension.field });
    const table = yield* buildCountTable(axis, split, needs);
    ranks.push(toOptionRanks(table));
  }
  const hidden = protection === null ? null : findSuppressedRanks(ranks, protection);
  const { function: name } = config.aggregation;
  const shown: RankSeries[] = isStack
    ? stackedParts(ranks, base === 'answering')
    : name === 'rank_summary'
      ? [topRanks(1, 'percent'), topRanks(TOP, 'percent'), { kind: 'mean' }]
      : [
          topRanks(
            name === 'top_box' ? (config.aggregation.n ?? 2) : Infinity,
            name === 'count' ? 'count' : 'percent',
          ),
        ];
  if (isStack) shown.push({ kind: 'mean' });
  const isCount = isStack && name === 'count';
  const means: PartCell[] = [];
  if (shown.some(({ kind }) => kind === 'mean'))
    for (const part of composite!.parts) means.push(yield* computeMeanRank(dataset, part, settings));
  const parts = ranks.map((option, position): PartFigures => {
    const createRankCell =
      (ranksOfOne: Ranks, isSuppressed: (rank: number) => boolean) => (one: RankSeries) =>
        one.kind === 'mean'
          ? hidden !== null && hidden.cells[position]!.size > 0
            ? SUPPRESSED_CELL
            : means[position]!
          : rankCell(one, ranksOfOne, { isSuppressed, protection, isCount });
    const isSuppressed = (rank: number) =>
      hidden !== null && (hidden.split || hidden.cells[position]!.has(rank));
    const cells =
      option.bySeries === null
        ? shown.map(createRankCell(option.total, isSuppressed))
        : option.bySeries.map((one) => createRankCell(one, isSuppressed)(shown[0]!));
    return {
      part: composite!.parts[position]!,
      base: presentChartBase(option.total.base, protection),
      key: cells[0]?.value ?? null,
      cells,
      suppressed: cells.some(
        ({ value }, index) => value === null && hasFigure(shown[index] ?? shown[0]!, option),
      ),
    };
  });
  const disclosed = disclosedSeries[0]?.base ?? null;
  const names: PartSeries[] =
    split === null
      ? shown.map((one) => ({ ...toPartSeries(one), base: one.kind === 'mean' ? null : disclosed }))
      : split.categories.map(({ steps }, position) => {
          return {
            name: steps[0]!.label,
            value: steps[0]!.value,
            base: disclosedSeries[position]?.base ?? null,
          };
        });
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

function topRanks(n: number, unit: 'percent' | 'count'): RankSeries {
  const name = n === 1 ? 'Ranked first' : n === Infinity ? 'Ranked' : `Ranked in the top ${n}`;
  return { kind: 'ranks', name, from: 1, to: n, as: unit };
}

/** Each rank as a part of a bar. Low ranks are merged if there are many. The last part are respondents who did not rank the option. */
function stackedParts(ranks: readonly OptionRanks[], isOfRanked: boolean): RankSeries[] {
  const most = Math.max(
    1,
    ...ranks.map(({ total }) => total.counts.findLastIndex(({ count }) => count > 0) + 1),
  );
  const single = most > MAX_RANK_PARTS ? MAX_RANK_PARTS - 1 : most;
  const parts = Array.from({ length: single }, (_, index): RankSeries => {
    const rank = index + 1;
    return { kind: 'ranks', name: `Rank ${rank}`, value: String(rank), from: rank, to: rank, as: 'percent' };
  });
  if (most > single)
    parts.push({
      kind: 'ranks',
      name: `Rank ${single + 1} or lower`,
      from: single + 1,
      to: Infinity,
      as: 'percent',
    });
  return isOfRanked ? parts : [...parts, { kind: 'unranked', name: 'Not ranked' }];
}

function toPartSeries(shown: RankSeries): Omit<PartSeries, 'base'> {
  if (shown.kind === 'mean') return { name: 'Mean rank', function: 'mean', drawn_as: 'line' };
  if (shown.kind === 'unranked') return { name: shown.name, value: null, is_rest: true };
  return { name: shown.name, ...(shown.value !== undefined && { value: shown.value }) };
}

function toOptionRanks({ rows, base, series }: ChartTable): OptionRanks {
  const total = { counts: rows.map((row) => row.total.count), base };
  const bySeries =
    series?.map((one, position) => ({
      counts: rows.map(({ cells }) => cells[position]!.count),
      base: one.base,
    })) ?? null;
  return { total, bySeries };
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
  const { disclosed } = yield* computePartMeasure(
    dataset,
    part,
    { measure, series: null, level: null },
    settings,
  );
  const [only] = disclosed.series;
  if (only === undefined) return SUPPRESSED_CELL;
  return { value: only.values[0]!, count: only.counts[0]!, percent: null };
}

function rankCell(
  shown: Exclude<RankSeries, { kind: 'mean' }>,
  { counts, base }: Ranks,
  { isSuppressed, protection, isCount }: RankDisclosure,
): PartCell {
  const chosen =
    shown.kind === 'unranked'
      ? [0]
      : counts.flatMap((_, index) => (index + 1 >= shown.from && index + 1 <= shown.to ? [index + 1] : []));
  if (chosen.some(isSuppressed)) return SUPPRESSED_CELL;
  const found =
    shown.kind === 'unranked'
      ? subtractCount(base, addCounts(...counts))
      : addCounts(...chosen.map((rank) => counts[rank - 1]!));
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

/**
 * Finds the ranks of each option that must be suppressed (0: not ranked). The counts of an option add up to the respondents who were shown
 * the question, and the counts of a rank to the respondents who gave it, so a single suppressed count could be derived. With a series,
 * everything is suppressed if any count of the series or of the total is suppressed.
 */
function findSuppressedRanks(
  options: readonly OptionRanks[],
  { minBase }: Protection,
): { cells: ReadonlySet<number>[]; split: boolean } {
  const total = findSuppressedAmong(
    options.map((option) => option.total),
    minBase,
  );
  const width = options[0]?.bySeries?.length ?? 0;
  const parts = Array.from({ length: width }, (_, position) =>
    findSuppressedAmong(
      options.map(({ bySeries }) => bySeries![position]!),
      minBase,
    ),
  );
  return { cells: total, split: width > 0 && [total, ...parts].flat().some(({ size }) => size > 0) };
}

function findSuppressedAmong(options: readonly Ranks[], minBase: number): ReadonlySet<number>[] {
  const counts: number[] = [];
  const sums: CountSum[] = [];
  const add = (count: number) => counts.push(count) - 1;
  const cells = options.map(({ counts: ranks, base }) => {
    const rankIndexes = ranks.map(({ count }) => add(count));
    const unranked = add(base.count - ranks.reduce((sum, { count }) => sum + count, 0));
    sums.push({ total: add(base.count), parts: [unranked, ...rankIndexes] });
    return [unranked, ...rankIndexes];
  });
  const most = Math.max(0, ...cells.map(({ length }) => length));
  for (let rank = 1; rank < most; rank++) {
    const parts = cells.flatMap((indices) => indices[rank] ?? []);
    sums.push({ total: add(parts.reduce((sum, position) => sum + counts[position]!, 0)), parts });
  }
  const hidden = findSuppressedCounts(counts, sums, minBase);
  return cells.map(
    (indices) => new Set(indices.flatMap((position, rank) => (hidden.has(position) ? [rank] : []))),
  );
}
