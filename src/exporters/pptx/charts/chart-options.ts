import type { ChartOptions } from '../library.ts';
import { FONT_SIZE } from '../../../domain/charts/drawing/chart-drawing.ts';
import type { Palette } from '../palette.ts';
import type { PlotArea } from './plotted-chart.ts';

const AXIS_FONT_SIZE = 11;
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

const toShare = (value: number) => Number(Math.min(Math.max(value, 0.0001), 1).toFixed(4));

/** How every chart looks. A new object each time: the library writes into what it is given. */
export function chartOptions(
  { plotArea, hasLegend, hasValueAxis = false, format }: ChartOptionsInput,
  palette: Palette,
): ChartOptions {
  const { style: theme } = palette;
  const textColor = palette.colorName(theme.text);
  const mutedColor = palette.colorName(theme.mutedText);
  return {
    ...(plotArea !== undefined && {
      layout: {
        x: toShare(plotArea.x),
        y: toShare(plotArea.y),
        w: toShare(plotArea.width),
        h: toShare(plotArea.height),
      },
    }),
    ...{ chartArea: { roundedCorners: false }, displayBlanksAs: 'gap', showTitle: false },
    ...{
      showLegend: hasLegend,
      legendPos: 't',
      legendFontSize: FONT_SIZE,
      legendFontFace: FONT,
      legendColor: mutedColor,
    },
    ...{ catAxisLabelFontFace: FONT, catAxisLabelFontSize: FONT_SIZE, catAxisLabelColor: textColor },
    ...{
      catAxisLineColor: palette.colorName(theme.line),
      catAxisMajorTickMark: 'none',
      catAxisLabelPos: 'low',
    },
    ...{ valAxisLabelFontFace: FONT, valAxisLabelFontSize: AXIS_FONT_SIZE, valAxisLabelColor: mutedColor },
    ...{ valAxisHidden: !hasValueAxis, valAxisLineShow: false, valAxisMajorTickMark: 'none' },
    valGridLine: hasValueAxis
      ? { color: theme.line.slice(1), size: 0.75, style: 'solid' }
      : { style: 'none' },
    ...{
      dataLabelFontFace: FONT,
      dataLabelFontSize: FONT_SIZE,
      dataLabelColor: textColor,
      dataLabelFontBold: true,
    },
    ...(format !== undefined && { valAxisLabelFormatCode: format }),
  } satisfies ChartOptions;
}
