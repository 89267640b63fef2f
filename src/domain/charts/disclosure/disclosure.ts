import type { AxisCategory } from '../../statistics/crosstab/axis.ts';
import { type Count, effectiveCount } from '../../statistics/base.ts';
import type {
  ChartBase,
  ChartCategory,
  ChartColumn,
  ChartFigures,
  ChartNote,
  ChartSeries,
  FilterChoices,
  VariableFigure,
} from '../chart-data.ts';
import type { ChartCell, ChartTable } from '../chart-table.ts';
import { type AggregationName, isCounting } from '../chart-config.ts';
import {
  findSuppressedFigures,
  isExtremeOfFew,
  isTooFew,
  type Protection,
  roundedCount,
  roundedMeasure,
  roundedPercent,
  roundedQuantile,
  type SuppressedFigures,
} from './protection.ts';
import type { Dimension } from '../figures/chart-plan.ts';
import type { PublishedLabels } from '../../dataset/published-labels.ts';

/** The part of a table that may be shown. */
export interface DisclosedTable {
  categories: ChartCategory[];
  series: ChartSeries[];
  base: ChartBase | null;
  suppressed: boolean;
}

interface DisclosureSettings {
  aggregation: AggregationName;
  /** The name of the series if there is only one. */
  label: string;
  isStacked: boolean;
  /** Null: no letters. Otherwise the confidence level of the letters. */
  level: number | null;
  rest: AxisCategory | null;
  protection: Protection | null;
}

export function presentChartColumn({ entry: { spec } }: Pick<Dimension, 'entry'>): ChartColumn {
  return { column_code: spec.columnCode, label: spec.label, measure: spec.measure };
}

export function presentChartBase(base: Count, protection: Protection | null): ChartBase {
  const { count, weight } = base;
  const effective = effectiveCount(base);
  if (protection === null || !protection.isRounded) return { unweighted: count, weighted: weight, effective };
  return {
    unweighted: roundedCount(count),
    weighted: roundedCount(weight),
    effective: roundedCount(effective),
  };
}

function presentCategory(category: AxisCategory, { rest }: DisclosureSettings): ChartCategory {
  const step = category.steps.at(-1);
  if (step === undefined) return { code: null, value: null, label: 'Total' };
  const { code, value, label } = step;
  return {
    code,
    value,
    label,
    ...(category.isNet && { is_net: true as const }),
    ...(category === rest && { is_rest: true as const }),
    ...(category.missing && { missing: true as const }),
  };
}

interface DisclosedCell {
  value: number | null;
  count: number | null;
  percent: number | null;
  letters: string[];
}

interface CellContext {
  isSuppressed: boolean;
  /** The base of its percent. */
  base: Count;
}

const SUPPRESSED_CELL: DisclosedCell = { value: null, count: null, percent: null, letters: [] };

function discloseCell(
  cell: ChartCell,
  { isSuppressed, base }: CellContext,
  { aggregation, protection, level }: DisclosureSettings,
): DisclosedCell {
  if (isSuppressed) return SUPPRESSED_CELL;
  const { count, percent, value } = cell;
  // Lower-case letters are differences at 90 % only.
  const letters = cell.letters.filter((letter) => level === 0.9 || letter === letter.toUpperCase());
  if (protection === null) return { value, count: count.count, percent, letters };
  const disclosed = protection.isRounded
    ? {
        count: roundedCount(count.count),
        percent: roundedPercent(count.weight, base.weight),
        letters,
      }
    : { count: count.count, percent, letters };
  if (aggregation === 'count')
    return { ...disclosed, value: protection.isRounded ? roundedCount(count.weight) : count.weight };
  if (aggregation === 'percent') return { ...disclosed, value: disclosed.percent };
  if (value === null || isExtremeOfFew(cell, protection.minBase)) return { ...disclosed, value: null };
  return { ...disclosed, value: discloseMeasure(cell, aggregation, protection) };
}

/** Rounds a measure. Returns null if it would reveal a few respondents. */
export function discloseMeasure(
  { value, count, se, share }: ChartCell,
  aggregation: AggregationName,
  { minBase, isRounded }: Protection,
): number | null {
  if (value === null || (share !== null && share.fewer < minBase)) return null;
  if (!isRounded) return value;
  if (aggregation === 'median' || aggregation === 'min' || aggregation === 'max')
    return roundedQuantile(value, se);
  const isSum = aggregation === 'sum';
  // A sum is disclosed as the disclosed mean times the disclosed count.
  const times = isSum ? roundedCount(count.weight) : 1;
  if (share === null) return roundedMeasure(isSum ? value / count.weight : value, se) * times;
  const percent = roundedPercent(share.weight, count.weight);
  return percent === null ? null : (share.low + ((share.high - share.low) * percent) / 100) * times;
}

const NOTHING_SUPPRESSED: SuppressedFigures = { everything: false, totals: [], cells: [], series: [] };

/** Converts a table to its reply format and suppresses what must not be disclosed. */
export function discloseTable(table: ChartTable, settings: DisclosureSettings): DisclosedTable {
  const { protection, level, isStacked, aggregation } = settings;
  const tooFew = protection !== null && isTooFew(table.base.count, protection);
  const hidden = protection === null ? NOTHING_SUPPRESSED : findSuppressedFigures(table, protection);
  if (tooFew || hidden.everything) return { categories: [], series: [], base: null, suppressed: true };
  const compares = level !== null;
  const list = (cells: readonly DisclosedCell[], base: ChartBase | null): Omit<ChartSeries, 'name'> => ({
    values: cells.map(({ value }) => value),
    counts: cells.map(({ count }) => count),
    percents: cells.map(({ percent }) => percent),
    ...(compares && { letters: cells.map(({ letters }) => letters) }),
    base,
  });
  let suppressed = false;
  const disclose = (cell: ChartCell, context: CellContext): DisclosedCell => {
    const disclosed = discloseCell(cell, context, settings);
    if (disclosed.value === null && cell.value !== null) suppressed = true;
    return disclosed;
  };
  const series: ChartSeries[] =
    table.series === null
      ? [
          {
            name: settings.label,
            ...list(
              table.rows.map(({ total }, row) =>
                disclose(total, { isSuppressed: hidden.totals[row] ?? false, base: table.base }),
              ),
              presentChartBase(table.base, protection),
            ),
          },
        ]
      : table.series.map(({ category, base }, position) => {
          const isSeriesSuppressed = hidden.series[position] ?? false;
          const cells = table.rows.map(({ total, cells: row }, index) => {
            // The percent of a suppressed category would reveal its size.
            const isSuppressed =
              isSeriesSuppressed ||
              hidden.cells[index]?.[position] ||
              (isStacked && hidden.totals[index]) ||
              false;
            const cell = row[position];
            if (cell === undefined) return SUPPRESSED_CELL;
            return disclose(cell, { isSuppressed, base: isStacked ? total.count : base });
          });
          const { label, value } = presentCategory(category, settings);
          if (isSeriesSuppressed) suppressed = true;
          return {
            name: label,
            value,
            ...list(cells, isSeriesSuppressed ? null : presentChartBase(base, protection)),
          };
        });
  return {
    categories: table.rows.map(({ category }) => presentCategory(category, settings)),
    series,
    base: presentChartBase(table.base, protection),
    suppressed: suppressed && (isCounting(aggregation) || protection !== null),
  };
}

/** Notes for readers of protected figures. */
export function protectionNotes(protection: Protection | null, suppressed: boolean): ChartNote[] {
  if (protection === null) return [];
  const notes: ChartNote[] = [];
  if (protection.isRounded) {
    const message = 'Figures of this confidential survey are rounded: counts to steps of five.';
    notes.push({ code: 'rounded', message });
  }
  if (suppressed) {
    notes.push({
      code: 'small_groups_hidden',
      message: `Hidden: fewer than ${protection.minBase} respondents. Figures that would reveal a hidden one are hidden too.`,
    });
  }
  return notes;
}

type Figures = ChartFigures | VariableFigure | FilterChoices;

/**
 * Replaces labels by those of the published version and removes options that were never published. Returns null if the column was never
 * published.
 */
export function applyPublishedLabels(figures: Figures, labels: PublishedLabels): Figures | null {
  const dimension = publishedColumn(figures.dimension, labels);
  if (dimension === null) return null;
  const code = dimension.column_code;
  if ('metric' in figures) return { ...figures, dimension };
  if ('options' in figures) {
    const options = figures.options.flatMap(({ value, label }) => {
      const known = labels.valueLabel(code, value, label);
      return known === null ? [] : [{ value, label: known }];
    });
    return { ...figures, dimension, options };
  }
  const seriesBy = figures.series_by === null ? null : publishedColumn(figures.series_by, labels);
  if (seriesBy === null && figures.series_by !== null) return null;
  const published = new Set<number>();
  const categories = figures.categories.flatMap((category, index) => {
    const { value, label } = category;
    const known = value === null ? label : labels.valueLabel(code, value, label);
    if (known === null) return [];
    published.add(index);
    return [{ ...category, label: known }];
  });
  const pick = <T>(list: readonly T[]): T[] => list.filter((_, index) => published.has(index));
  return {
    ...figures,
    dimension,
    series_by: seriesBy,
    aggregation: { ...figures.aggregation, label: measureName(figures.aggregation.label, labels) },
    categories,
    series: figures.series.flatMap((series) => {
      const { value = null, name } = series;
      const isCategory = seriesBy !== null && value !== null;
      const known = isCategory ? labels.valueLabel(seriesBy.column_code, value, name) : name;
      if (known === null) return [];
      return [
        {
          ...series,
          name: isCategory ? known : measureName(name, labels),
          values: pick(series.values),
          counts: pick(series.counts),
          percents: pick(series.percents),
          ...(series.letters !== undefined && { letters: pick(series.letters) }),
        },
      ];
    }),
  };
}

function publishedColumn(column: ChartColumn, labels: PublishedLabels): ChartColumn | null {
  const label = labels.columnLabel(column.column_code, column.label);
  return label === null ? null : { ...column, label };
}

/** The label "Mean: How old are you?" contains the label of the measured column. */
function measureName(name: string, labels: PublishedLabels): string {
  const [measure, ...rest] = name.split(': ');
  return rest.length === 0 ? name : `${measure}: ${labels.translateLabel(rest.join(': '))}`;
}
