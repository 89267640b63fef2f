import type { EChartsCoreOption } from 'echarts/core';
import { figureText } from '../figure-text.ts';
import type { ChartFigures } from '../chart-data.ts';
import type { ChartOptions } from '../config-parts.ts';
import type { ChartLook } from './chart-look.ts';

/** What a chart is drawn from. */
export interface DrawnChart {
  figures: ChartFigures;
  options: Partial<Pick<ChartOptions, 'colors' | 'decimals' | 'show_values' | 'stacked_percent'>>;
  look: ChartLook;
  /** Pixels, as are all measures here. */
  width: number;
  /** The chart may become higher where its content needs it. */
  height: number;
}

/** What echarts draws, and how large. */
export interface ChartDrawing {
  option: EChartsCoreOption;
  width: number;
  height: number;
}

export const FONT_SIZE = 12;
export const LINE_HEIGHT = 15;

export const valueText = ({ figures, options }: DrawnChart, value: number): string =>
  figureText(value, figures.aggregation.function, options.decimals);

/** Nothing moves and nothing lights up: a drawing is a picture. */
export const STILL = { animation: false, textStyle: { fontSize: FONT_SIZE } } as const;
export const PLAIN = { emphasis: { disabled: true }, cursor: 'default' } as const;

export const showsValues = ({ options }: DrawnChart): boolean => options.show_values !== false;
