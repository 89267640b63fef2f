import type { DeckNumber } from '../../../domain/reports/deck.ts';
import type { Box } from '../../slides/slide-page.ts';
import type { Palette } from '../palette.ts';
import { chartOptions } from './chart-options.ts';
import { DataSheet } from './data-sheet.ts';
import type { NativeChart } from './plotted-chart.ts';

/** A sparkline without axes. */
export function sparkChart(
  points: DeckNumber['sparkline'],
  name: string,
  box: Box,
  palette: Palette,
): NativeChart {
  const sheet = new DataSheet(
    points.map(({ at }) => at),
    [{ name, values: points.map(({ value }) => value) }],
  );
  const values = points.map(({ value }) => value).filter((value) => value !== null);
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  const padding = (greatest - least || 1) * 0.15;
  const plotArea = { x: 0.03, y: 0.05, width: 0.94, height: 0.9 };
  return {
    layers: [
      {
        type: 'line',
        data: [sheet.seriesData(0)],
        options: {
          ...{
            chartColors: [palette.colorName(palette.style.accent.fill)],
            lineSize: 2,
            lineDataSymbol: 'circle',
            lineDataSymbolSize: 5,
          },
          ...{ catAxisHidden: true, valAxisMinVal: least - padding, valAxisMaxVal: greatest + padding },
        },
      },
    ],
    options: chartOptions({ plotArea, hasLegend: false }, palette),
    labels: [[]],
    ...{ sheet, box, companions: [] },
  };
}
