import type { EChartsCoreOption } from 'echarts/core';
import { formatFigure } from '../format-figure.ts';
import type { ChartFigures } from '../chart-data.ts';
import type { ChartOptions } from '../config-parts.ts';
import type { ChartTheme } from './chart-theme.ts';

/** The input for drawing a chart. */
export interface DrawableChart {
  figures: ChartFigures;
  options: Partial<Pick<ChartOptions, 'colors' | 'decimals' | 'show_values' | 'stacked_percent'>>;
  theme: ChartTheme;
  /** In pixels, like all lengths here. */
  width: number;
  /** The minimum height in pixels; content may need more. */
  height: number;
}

/** The echarts option and its size. */
export interface ChartDrawing {
  option: EChartsCoreOption;
  width: number;
  height: number;
}

export const FONT_SIZE = 12;
export const LINE_HEIGHT = 15;

export const formatValue = ({ figures, options }: DrawableChart, value: number): string =>
  formatFigure(value, figures.aggregation.function, options.decimals);

/** Disables animation and hover effects. */
export const STATIC_CHART = { animation: false, textStyle: { fontSize: FONT_SIZE } } as const;
export const STATIC_SERIES = { emphasis: { disabled: true }, cursor: 'default' } as const;

export const showsValues = ({ options }: DrawableChart): boolean => options.show_values !== false;
