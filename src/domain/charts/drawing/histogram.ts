import { categoryAxis, categoryNames, valueRange, seriesFills, valueAxis } from './bars.ts';
import {
  type ChartDrawing,
  type DrawableChart,
  FONT_SIZE,
  formatValue,
  LINE_HEIGHT,
  showsValues,
  STATIC_CHART,
  STATIC_SERIES,
  textWidth,
} from '../chart-drawing.ts';
import { layOutAxisLabels } from './lines.ts';

const VALUE_AXIS = 40;

/** Many bins of a number as adjacent vertical bars. Shows as many names and values as fit. */
export function drawHistogram(chart: DrawableChart): ChartDrawing {
  const { figures, theme, options, width } = chart;
  const { values } = figures.series[0]!;
  const names = categoryNames(chart);
  const widest = Math.max(
    ...values.map((value) => textWidth(value === null ? '–' : formatValue(chart, value), FONT_SIZE)),
  );
  const labelled = showsValues(chart) && widest + 4 <= width / names.length;
  const left = labelled ? 0 : VALUE_AXIS;
  const { labels, lines } = layOutAxisLabels(names, (width - left) / names.length);
  const [fill] = seriesFills(chart);
  const { least, greatest } = valueRange([values]);
  const top = labelled ? 22 : 8;
  const bottom = lines * LINE_HEIGHT + 12;
  return {
    width,
    height: Math.max(chart.height, top + bottom + 120),
    option: {
      ...STATIC_CHART,
      grid: { left, right: 0, top, bottom, outerBoundsMode: 'none' },
      xAxis: categoryAxis(chart, labels),
      yAxis: { ...valueAxis(chart, !labelled), min: least, max: labelled ? greatest || 1 : undefined },
      series: [
        {
          ...STATIC_SERIES,
          type: 'bar',
          barCategoryGap: '6%',
          data: values.map((value, index) => ({
            value: value ?? 0,
            itemStyle: {
              color: figures.categories[index]!.is_rest
                ? theme.rest.fill
                : (options.colors?.[index] ?? fill!.fill),
            },
            label: {
              show: labelled,
              position: 'top',
              color: theme.text,
              fontSize: FONT_SIZE,
              fontWeight: 600,
              formatter: value === null ? '–' : formatValue(chart, value),
            },
          })),
        },
      ],
    },
  };
}
