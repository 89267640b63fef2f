import type { ChartOptions } from '../library.ts';
import { FONT_SIZE } from '../../../domain/charts/chart-drawing.ts';
import type { Palette } from '../palette.ts';
import type { PlotArea } from './plotted-chart.ts';

const AXIS_FONT_SIZE = 11;
/** The font of the theme. */
const FONT = '+mn-lt';

export interface ChartOptionsInput {
  /** The plot without axis labels; absent: automatic. */
  plotArea?: PlotArea;
  hasLegend: boolean;
  /** Whether the value axis and its grid lines are visible. */
  hasValueAxis?: boolean;
  /** Number format of the axis. */
  format?: string;
}

const toShare = (value: number) => Number(Math.min(Math.max(value, 0.0001), 1).toFixed(4));

/** The common options of all charts. A new object per call, because the library modifies it. */
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
