import type { AxisCategory } from '../statistics/crosstab/axis.ts';
import { type Count, effectiveCount } from '../statistics/count.ts';
import type { ChartBase, ChartCategory, ChartColumn, ChartNote, ChartSeries } from './chart-data.ts';
import type { ChartCell, ChartTable } from './chart-table.ts';
import type { AggregationName } from './chart-types.ts';
import { isCounting } from './chart-types.ts';
import { type HiddenFigures, hiddenFigures, isOfFew } from './protect-table.ts';
import {
  isTooFew,
  type Protection,
  roundedCount,
  roundedMeasure,
  roundedPercent,
  roundedQuantile,
} from './protection.ts';
import type { Dimension } from './read-chart.ts';

/** What is told of a table. */
export interface Told {
  categories: ChartCategory[];
  series: ChartSeries[];
  base: ChartBase | null;
  suppressed: boolean;
}

export interface Telling {
  aggregation: AggregationName;
  /** What the series is called where there is only one. */
  label: string;
  isStacked: boolean;
  /** Absent: no letters are told. Else the level from which they are. */
  level: number | null;
  rest: AxisCategory | null;
  protection: Protection | null;
}

export function presentColumn({ entry: { spec } }: Pick<Dimension, 'entry'>): ChartColumn {
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

function categoryOf(category: AxisCategory, { rest }: Telling): ChartCategory {
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

interface ToldCell {
  value: number | null;
  count: number | null;
  percent: number | null;
  letters: string[];
}

const NOTHING_TOLD: ToldCell = { value: null, count: null, percent: null, letters: [] };

function cellOf(cell: ChartCell, isHidden: boolean, base: Count, telling: Telling): ToldCell {
  const { aggregation, protection, level } = telling;
  if (isHidden) return NOTHING_TOLD;
  const { count, percent, value } = cell;
  // Lower case is what differs at 90 % only.
  const letters = cell.letters.filter((letter) => level === 0.9 || letter === letter.toUpperCase());
  if (protection === null) return { value, count: count.count, percent, letters };
  const told = protection.isRounded
    ? {
        count: roundedCount(count.count),
        percent: roundedPercent(count.weight, base.weight),
        letters,
      }
    : { count: count.count, percent, letters };
  if (aggregation === 'count')
    return { ...told, value: protection.isRounded ? roundedCount(count.weight) : count.weight };
  if (aggregation === 'percent') return { ...told, value: told.percent };
  if (value === null || isOfFew(cell, protection.minBase)) return { ...told, value: null };
  return { ...told, value: toldMeasure(cell, aggregation, protection) };
}

/** A measure as it is told; null where it would tell of a few. */
export function toldMeasure(
  { value, count, se, share }: ChartCell,
  aggregation: AggregationName,
  { minBase, isRounded }: Protection,
): number | null {
  if (value === null || (share !== null && share.fewer < minBase)) return null;
  if (!isRounded) return value;
  if (aggregation === 'median' || aggregation === 'min' || aggregation === 'max')
    return roundedQuantile(value, se);
  const isSum = aggregation === 'sum';
  // A sum is its mean, as it is told, times those it is of.
  const times = isSum ? roundedCount(count.weight) : 1;
  if (share === null) return roundedMeasure(isSum ? value / count.weight : value, se) * times;
  const percent = roundedPercent(share.weight, count.weight);
  return percent === null ? null : (share.low + ((share.high - share.low) * percent) / 100) * times;
}

const SHOWN: HiddenFigures = { everything: false, totals: [], cells: [], series: [] };

/** A table in the words of the wire, with what must not be told left out. */
export function presentTable(table: ChartTable, telling: Telling): Told {
  const { protection, level, isStacked, aggregation } = telling;
  const tooFew = protection !== null && isTooFew(table.base.count, protection);
  const hidden = protection === null || tooFew ? SHOWN : hiddenFigures(table, protection);
  if (tooFew || hidden.everything) return { categories: [], series: [], base: null, suppressed: true };
  const compares = level !== null;
  const list = (cells: readonly ToldCell[], base: ChartBase | null): Omit<ChartSeries, 'name'> => ({
    values: cells.map(({ value }) => value),
    counts: cells.map(({ count }) => count),
    percents: cells.map(({ percent }) => percent),
    ...(compares && { letters: cells.map(({ letters }) => letters) }),
    base,
  });
  let suppressed = false;
  const told = (cell: ChartCell, isHidden: boolean, base: Count): ToldCell => {
    const made = cellOf(cell, isHidden, base, telling);
    if (made.value === null && cell.value !== null) suppressed = true;
    return made;
  };
  const series: ChartSeries[] =
    table.series === null
      ? [
          {
            name: telling.label,
            ...list(
              table.rows.map(({ total }, row) => told(total, hidden.totals[row] ?? false, table.base)),
              presentChartBase(table.base, protection),
            ),
          },
        ]
      : table.series.map(({ category, base }, place) => {
          const hiddenSeries = hidden.series[place] ?? false;
          const cells = table.rows.map(({ total, cells: row }, index) => {
            // A percent of a category whose size is hidden would tell it.
            const isHidden =
              hiddenSeries || hidden.cells[index]?.[place] || (isStacked && hidden.totals[index]) || false;
            return told(row[place]!, isHidden, isStacked ? total.count : base);
          });
          const { label, value } = categoryOf(category, telling);
          if (hiddenSeries) suppressed = true;
          return {
            name: label,
            value,
            ...list(cells, hiddenSeries ? null : presentChartBase(base, protection)),
          };
        });
  return {
    categories: table.rows.map(({ category }) => categoryOf(category, telling)),
    series,
    base: presentChartBase(table.base, protection),
    suppressed: suppressed && (isCounting(aggregation) || protection !== null),
  };
}

/** What readers of protected figures have to know. */
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
      message: `Hidden: fewer than ${protection.minBase} respondents, and figures that would reveal them.`,
    });
  }
  return notes;
}
