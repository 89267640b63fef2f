import type { PublishedLabels } from '../dataset/columns/published-labels.ts';
import type { ChartColumn, ChartFigures, FilterChoices, VariableFigure } from './chart-data.ts';

type Figures = ChartFigures | VariableFigure | FilterChoices;

/**
 * Replaces labels by those of the published version and removes options that were never published. Returns null if the column was never
 * published.
 */
export function applyPublishedLabels(figures: Figures, labels: PublishedLabels): Figures | null {
  const dimension = publishedColumn(figures.dimension, labels);
  if (dimension === null) return null;
  const code = dimension.column_code;
  if (figures.chart_type === 'variable') return { ...figures, dimension };
  if (figures.chart_type === 'filter') {
    const options = figures.options.flatMap(({ value, label }) => {
      const known = labels.valueLabel(code, value, label);
      return known === null ? [] : [{ value, label: known }];
    });
    return { ...figures, dimension, options };
  }
  const seriesBy = figures.series_by === null ? null : publishedColumn(figures.series_by, labels);
  if (seriesBy === null && figures.series_by !== null) return null;
  const kept: number[] = [];
  const categories = figures.categories.flatMap((category, index) => {
    const { value, label } = category;
    const known = value === null ? label : labels.valueLabel(code, value, label);
    if (known === null) return [];
    kept.push(index);
    return [{ ...category, label: known }];
  });
  const pick = <T>(list: readonly T[]): T[] => kept.map((index) => list[index]!);
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
