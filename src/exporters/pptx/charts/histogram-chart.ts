import { categoryNames, seriesFills } from '../../../domain/charts/drawing/bars.ts';
import { FONT_SIZE, formatValue, showsValues, textWidth } from '../../../domain/charts/chart-drawing.ts';
import { chartOptions } from './chart-options.ts';
import { DataSheet } from './data-sheet.ts';
import type { ValueLabel } from './labels.ts';
import { numberFormat } from './number-format.ts';
import { axisLabelLayout, fullBox, type NativeChart, plotArea, type PlottedChart } from './plotted-chart.ts';

const VALUE_AXIS = 44;
/** Room for values above the bars. */
const LABEL_ROOM = 24;
/** Gap between bars, in percent of the bar width. */
const GAP = 3;

/** Adjacent vertical bars; shows as many names and values as fit. */
export function histogramChart(chart: PlottedChart): NativeChart {
  const { figures, theme, options, width, height, palette } = chart;
  const [series] = figures.series;
  const { name, values } = series!;
  const names = categoryNames(chart);
  const sheet = new DataSheet(names, [{ name, values }]);
  const widest = Math.max(
    ...values.map((value) => (value === null ? 0 : textWidth(formatValue(chart, value), FONT_SIZE))),
  );
  const isLabeled = showsValues(chart) && widest + 4 <= width / names.length;
  const left = isLabeled ? 0 : VALUE_AXIS;
  const { each: interval, height: bottom } = axisLabelLayout(names, (width - left) / names.length);
  const greatest = Math.max(...values.map((value) => value ?? 0)) || 1;
  const top = isLabeled ? 4 : 8;
  const plotHeight = Math.max(height - top - bottom, 60);
  const [fill] = seriesFills(chart);
  const colors = figures.categories.map(({ is_rest: isRest }, index) =>
    palette.colorName(options.colors?.[index] ?? (isRest ? theme.rest : fill!).fill),
  );
  const labels = values.map((value): ValueLabel | null =>
    value === null || !isLabeled
      ? null
      : {
          format: numberFormat(value, figures.aggregation.function, options.decimals),
          ...{ position: 'outEnd', size: FONT_SIZE, color: theme.text, bold: true },
        },
  );
  return {
    layers: [
      {
        type: 'bar',
        data: [sheet.seriesData(0)],
        options: {
          barDir: 'col',
          barGapWidthPct: GAP,
          chartColors: new Set(colors).size === 1 ? [colors[0]!] : colors,
          valAxisMinVal: 0,
          ...(isLabeled && { valAxisMaxVal: greatest / (1 - Math.min(LABEL_ROOM / plotHeight, 0.4)) }),
        },
      },
    ],
    options: {
      ...chartOptions(
        {
          plotArea: plotArea(chart, { left, right: 0, top, bottom }),
          ...{ hasLegend: false, hasValueAxis: !isLabeled },
          format: figures.aggregation.function === 'percent' ? '0"%"' : 'General',
        },
        palette,
      ),
      ...(interval > 1 && { catAxisLabelFrequency: String(interval) }),
    },
    labels: [labels],
    ...{ sheet, box: fullBox(chart), companions: [] },
  };
}
