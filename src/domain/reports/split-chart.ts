import type { ChartFigures } from '../charts/chart-data.ts';
import { figureTypeOf } from '../charts/registry.ts';

interface ChartPart {
  figures: ChartFigures;
  /** The shared end of the value axis. Null: the chart is not split, and its axis ends automatically. */
  axisMax: number | null;
}

/**
 * Splits a chart with many bars into charts of similar size with the same value axis. Returns a chart of a type without such a limit unsplit. If significance
 * letters refer to categories, the parts have no letters, because these would refer to categories of other parts.
 */
export function splitChart(figures: ChartFigures): ChartPart[] {
  const { categories, series } = figures;
  const most = figureTypeOf(figures).maxCategories(figures);
  if (most === null || categories.length <= most) return [{ figures, axisMax: null }];
  const count = Math.ceil(categories.length / most);
  const size = Math.ceil(categories.length / count);
  const axisMax = axisEnd(figures);
  return Array.from({ length: count }, (_, part) => {
    const cut = <T>(list: readonly T[]) => list.slice(part * size, (part + 1) * size);
    const cutSeries = series.map(({ letters, ...one }) => ({
      ...one,
      values: cut(one.values),
      counts: cut(one.counts),
      percents: cut(one.percents),
      ...(letters !== undefined && series.length > 1 && { letters: cut(letters) }),
    }));
    return { figures: { ...figures, categories: cut(categories), series: cutSeries }, axisMax };
  });
}

/** Returns a round number at or above every bar; null without values. */
function axisEnd(figures: ChartFigures): number | null {
  const { series, aggregation, categories } = figures;
  const isStacked = figureTypeOf(figures).layout === 'stack';
  const heights = categories.flatMap((_, index) => {
    const values = series.map(({ values: list }) => list[index] ?? 0);
    return isStacked ? [values.reduce((sum, value) => sum + value, 0)] : values;
  });
  const highest = Math.max(0, ...heights);
  if (highest === 0) return null;
  const isShare = aggregation.function === 'percent' || aggregation.function === 'top_box';
  if (isShare && highest <= 100 + 1e-9) return Math.min(100, Math.ceil(highest / 10 - 1e-9) * 10);
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= highest) ?? 10;
  return Number((step * power).toPrecision(12));
}
