import type { ChartOptions } from '../library.ts';
import { FONT_SIZE } from '../../../domain/charts/drawing/chart-drawing.ts';
import type { Palette } from '../palette.ts';
import type { PlotArea } from './plotted-chart.ts';

const SMALL = 11;
/** That of the theme. */
const FONT = '+mn-lt';

export interface ChartOptionsInput {
  /** Of what is drawn, without the names at its axes; absent: as it comes. */
  plotArea?: PlotArea;
  hasLegend: boolean;
  /** Whether the axis of values is seen, with lines across. */
  hasValueAxis?: boolean;
  /** How figures at the axis are shown. */
  format?: string;
}

const share = (value: number) => Number(Math.min(Math.max(value, 0.0001), 1).toFixed(4));

/** How every chart looks. A new object each time: the library writes into what it is given. */
export function chartOptions(
  { plotArea, hasLegend, hasValueAxis = false, format }: ChartOptionsInput,
  palette: Palette,
): ChartOptions {
  const { style: theme } = palette;
  const ink = palette.colorName(theme.text);
  const soft = palette.colorName(theme.mutedText);
  return {
    ...(plotArea !== undefined && {
      layout: {
        x: share(plotArea.x),
        y: share(plotArea.y),
        w: share(plotArea.width),
        h: share(plotArea.height),
      },
    }),
    ...{ chartArea: { roundedCorners: false }, displayBlanksAs: 'gap', showTitle: false },
    ...{
      showLegend: hasLegend,
      legendPos: 't',
      legendFontSize: FONT_SIZE,
      legendFontFace: FONT,
      legendColor: soft,
    },
    ...{ catAxisLabelFontFace: FONT, catAxisLabelFontSize: FONT_SIZE, catAxisLabelColor: ink },
    ...{
      catAxisLineColor: palette.colorName(theme.line),
      catAxisMajorTickMark: 'none',
      catAxisLabelPos: 'low',
    },
    ...{ valAxisLabelFontFace: FONT, valAxisLabelFontSize: SMALL, valAxisLabelColor: soft },
    ...{ valAxisHidden: !hasValueAxis, valAxisLineShow: false, valAxisMajorTickMark: 'none' },
    valGridLine: hasValueAxis
      ? { color: theme.line.slice(1), size: 0.75, style: 'solid' }
      : { style: 'none' },
    ...{
      dataLabelFontFace: FONT,
      dataLabelFontSize: FONT_SIZE,
      dataLabelColor: ink,
      dataLabelFontBold: true,
    },
    ...(format !== undefined && { valAxisLabelFormatCode: format }),
  } satisfies ChartOptions;
}
