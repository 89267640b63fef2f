import type { z } from 'zod';
import type { ChartTypeModule, FigureTypeModule } from './chart-type.ts';
import { type ChartDrawing, type DrawableChart, mergeLabelSeries } from './drawing/chart-drawing.ts';
import { areaType } from './types/area.ts';
import { barType } from './types/bar.ts';
import { donutType } from './types/donut.ts';
import { filterType } from './types/filter.ts';
import { gaugeType } from './types/gauge.ts';
import { histogramType } from './types/histogram.ts';
import { horizontalBarType } from './types/horizontal-bar.ts';
import { kpiType } from './types/kpi.ts';
import { lineBarType } from './types/line-bar.ts';
import { lineType } from './types/line.ts';
import { pieType } from './types/pie.ts';
import { radarType } from './types/radar.ts';
import { stackedBarType } from './types/stacked-bar.ts';
import { tableType } from './types/table.ts';
import { textType } from './types/text.ts';
import { variableType } from './types/variable.ts';

/** The element types in the order of the API document. */
const TYPES = [
  barType,
  horizontalBarType,
  stackedBarType,
  lineType,
  areaType,
  lineBarType,
  pieType,
  donutType,
  histogramType,
  radarType,
  gaugeType,
  kpiType,
  tableType,
  textType,
  filterType,
  variableType,
] as const;

type AnyType = (typeof TYPES)[number];
type AnyFigureType = Extract<AnyType, FigureTypeModule>;
export type ChartType = AnyType['type'];
/** The types that show the figures of a dimension. */
export type FigureChart = AnyFigureType['type'];

/** What an element shows, by element type. Short forms are expanded. */
export type ChartConfig<T extends ChartType = ChartType> = z.output<Extract<AnyType, { type: T }>['schema']>;

/** The names by which the exporter chooses the writer of a native PowerPoint chart. */
export type NativeWriter = Exclude<AnyFigureType['nativeWriter'], null>;

const isFigureType = (chartType: ChartTypeModule): chartType is AnyFigureType => 'draw' in chartType;

export const CHART_TYPES: readonly ChartType[] = TYPES.map(({ type }) => type);
export const FIGURE_CHARTS: readonly FigureChart[] = TYPES.filter(isFigureType).map(({ type }) => type);

const typesByName: ReadonlyMap<string, ChartTypeModule> = new Map(
  TYPES.map((chartType) => [chartType.type, chartType]),
);

/** Returns everything that depends on the type of an element. */
export function chartTypeOf(type: ChartType): ChartTypeModule {
  const chartType = typesByName.get(type);
  if (chartType === undefined) throw new Error(`${type} is not a chart type`);
  return chartType;
}

/** Returns everything that depends on the chart type of the figures. */
export function figureTypeOf({
  chart_type: type,
}: {
  chart_type: string;
}): FigureTypeModule<FigureChart, NativeWriter | null> {
  const chartType = typesByName.get(type);
  if (chartType === undefined || !isFigureType(chartType)) throw new Error(`a ${type} has no figures`);
  return chartType;
}

/** The schema of `chart_config` for an element type. Reports unknown fields by path; `resolve` of the type checks the columns. */
export function chartConfigSchema<T extends ChartType>(type: T): z.ZodType<ChartConfig<T>>;
export function chartConfigSchema(type: ChartType): z.ZodType {
  return chartTypeOf(type).schema;
}

/** Creates the echarts option of a chart for pages and files. Returns null for a type without a drawing, and if there is nothing to draw. */
export function createChartDrawing(input: DrawableChart): ChartDrawing | null {
  const chart = mergeLabelSeries(input);
  const { categories, series } = chart.figures;
  const { draw } = figureTypeOf(chart.figures);
  return draw === null || categories.length === 0 || series.length === 0 ? null : draw(chart);
}
