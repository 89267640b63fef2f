import { isMeasure } from '../../statistics/crosstab/variable-axis.ts';
import { computeNetPromoterScore } from '../../statistics/moments.ts';
import { typeOf } from '../../questions/registry.ts';
import type { CatalogColumn } from '../../dataset/column-catalog.ts';
import { isCounting } from '../chart-config.ts';
import type { ChartCategory, ChartFigures, ChartNote, ChartSeries } from '../chart-data.ts';
import type { ChartPlan } from './chart-plan.ts';
import { formatFigure } from './figure-texts.ts';
import { pointLabel, splitPointLabel } from './point-label.ts';

/** Whether the values of a column are points of a scale: numbers, of which some or all have a name. */
const hasPoints = (entry: CatalogColumn): boolean =>
  entry.spec.type === 'number' && entry.spec.measure !== 'nominal' && !isMeasure(entry);

/** Adds the number of a point to its name. */
export const numberCategories = (categories: ChartCategory[], entry: CatalogColumn): ChartCategory[] =>
  hasPoints(entry)
    ? categories.map((category) =>
        category.missing === true ? category : { ...category, label: pointLabel(category) },
      )
    : categories;

/** As numberCategories, for the points of a column that splits a chart. */
export const numberSeries = (series: ChartSeries[], entry: CatalogColumn | undefined): ChartSeries[] =>
  entry !== undefined && hasPoints(entry)
    ? series.map((one) => ({ ...one, name: pointLabel({ value: one.value ?? null, label: one.name }) }))
    : series;

/** The number of a point of a scale; the label of other categories. */
export const pointNumber = (category: ChartCategory): string =>
  splitPointLabel(category)?.number ?? category.label;

/**
 * Returns the Net Promoter Score of the respondents whose answers a chart of an NPS question counts. It is computed from the percentages
 * that are shown, so it discloses nothing more; without all of them, or with rounded ones, there is no score.
 */
export function netPromoterNotes(
  { categories, series, notes }: Pick<ChartFigures, 'categories' | 'series' | 'notes'>,
  { config: { aggregation }, dimension }: Pick<ChartPlan, 'config' | 'dimension'>,
): ChartNote[] {
  const { origin } = dimension.entry;
  if (origin.kind !== 'question' || !typeOf(origin.questionColumns.question).figures.hasNetPromoterScore)
    return [];
  const [only, ...others] = series;
  if (only === undefined || others.length > 0 || !isCounting(aggregation.function)) return [];
  const points = categories.flatMap(({ value, is_net: isNet, missing }, index) =>
    isNet === true || missing === true ? [] : [{ value, percent: only.percents[index] ?? null }],
  );
  const isKnown = points.every(({ value, percent }) => value !== null && percent !== null);
  if (!isKnown || notes.some(({ code }) => code === 'rounded')) return [];
  const weights = Float64Array.from(points, ({ percent }) => percent ?? 0);
  const score = computeNetPromoterScore({
    values: Float64Array.from(points, ({ value }) => Number(value)),
    counts: weights,
    weights,
    squaredWeights: weights,
  });
  if (score === null) return [];
  return [{ code: 'net_promoter_score', message: `Net Promoter Score: ${formatFigure(score, 'nps')}` }];
}
