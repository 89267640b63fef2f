import type { DeckNumber } from '../../../domain/reports/deck.ts';
import type { Box } from '../../slides/slide-page.ts';
import type { Palette } from '../palette.ts';
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
  return {
    layers: [
      {
        ...{ type: 'line', seriesIndexes: sheet.seriesIndexes, fills: [palette.style.accent.fill] },
        ...{ width: 2, markerSize: 5 },
      },
    ],
    ...{ plotArea: { x: 0.03, y: 0.05, width: 0.94, height: 0.9 }, hasLegend: false },
    axes: {
      category: { isHidden: true },
      value: { isVisible: false, min: least - padding, max: greatest + padding },
    },
    labels: [[]],
    ...{ sheet, box, companions: [] },
  };
}
