import type { z } from 'zod';
import type { CatalogColumn, ColumnCatalog } from '../dataset/column-catalog.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { SlideType } from './slide-type.ts';
import type { ChartSettings } from './chart.ts';
import type { FigureConfig, FigureKind } from './chart-config.ts';
import type { ChartFigures, FilterChoices, VariableFigure } from './chart-data.ts';
import type { ChartDrawing, DrawableChart } from './drawing/chart-drawing.ts';
import type { ChartPlan } from './figures/chart-plan.ts';
import type { FigureColumn } from './figures/figure-texts.ts';

/** An element whose columns were found. */
export interface ResolvedElement {
  /** The columns to load. */
  columns: readonly CatalogColumn[];
  /** Whether texts of respondents may be shown; false if only their number is. */
  showsTexts: boolean;
  /** Computes what the element shows. Yields between passes over the responses. */
  compute(dataset: Dataset, settings: ChartSettings): Generator<void, ElementFigures>;
  /**
   * The configuration to store: with the question id of its column, by which elements can be requested, and with the resolved defaults,
   * so that the element does not change when a default does. Throws 400 if the column does not exist.
   */
  stored(): object;
}

type ElementFigures = ChartFigures | VariableFigure | FilterChoices;

/**
 * A type of dashboard element. Everything that depends on the type is in its module (types/); other code asks for these members and does
 * not compare types. docs/how-to/add-a-chart-type.md describes how to add one.
 */
export interface ChartTypeModule<Type extends string = string, Config extends object = object> {
  /** The `chart_type` of the API. */
  readonly type: Type;

  /** The form of `chart_config` in the API document. Types with the same form share it. */
  readonly form: { readonly name: string; readonly schema: z.ZodObject };
  /** Parses `chart_config` and expands its short forms. */
  readonly schema: z.ZodType<Config>;
  /** The member of the configuration that names the column; null: the element shows no data. */
  readonly columnField: 'dimension' | 'filterElement' | null;
  /** Finds the columns. Throws 400 or 422 with the field, for columns that the type cannot show too. */
  resolve(config: Config, catalog: ColumnCatalog): ResolvedElement;

  /**
   * How pages and files show it: a drawing, a table, one number (`variable`: with its change and trend), a text, or a filter above the
   * pages, which narrows other elements and is not narrowed itself.
   */
  readonly view: 'drawing' | 'table' | 'number' | 'variable' | 'text' | 'filter';
  /** Whether it shows a single number. */
  readonly showsOneNumber: boolean;
  /** Size in cells of the dashboard grid, without a position. */
  readonly gridSize: { readonly w: number; readonly h: number };
  /** The slides that can show it. A report of a dashboard uses the first one; empty: none. */
  readonly slides: readonly SlideType[];
  /** Documented in the API, without `survey_id`, for the survey of the examples there. A test creates it. */
  readonly example: { readonly title?: string; readonly config: Readonly<Record<string, unknown>> };
}

/** How the drawing of a chart behaves on a page. */
interface PageRules {
  /** Whether the drawing is centered in its card, as round charts are. */
  readonly isCentered: boolean;
  /** Whether the tooltip shows the nearest mark, because marks are small. */
  readonly hasSmallMarks: boolean;
  /** What the index of a mark refers to: a row of the table (`index`), the row of its series, or a column. */
  tooltip(figures: ChartFigures): 'index' | 'series' | 'column' | 'none';
}

/** An element type that shows the figures of a column (its dimension). `figureType` fills in what most types have in common. */
export interface FigureTypeModule<Type extends string = string, Writer extends string | null = string | null>
  extends ChartTypeModule<Type, FigureConfig>, FigureKind<Type> {
  /** Name in text alternatives. */
  readonly name: string;

  /** Resolves columns and defaults. Throws 400 or 422 with the field, for questions that the type cannot show too. */
  plan(config: FigureConfig, catalog: ColumnCatalog): ChartPlan;
  /** Computes the series. Yields between passes over the responses. */
  figures(dataset: Dataset, plan: ChartPlan, settings: ChartSettings): Generator<void, ChartFigures>;

  /** Creates the echarts option for pages and PDF files; null: the figures are shown as text. */
  readonly draw: ((chart: DrawableChart) => ChartDrawing) | null;
  /** The writer of the native PowerPoint chart (exporters/pptx/chart-slide.ts); null: the figures are shown as text. */
  readonly nativeWriter: Writer;
  /** The most categories that one slide shows; a chart with more is split. Null: it is not split. */
  maxCategories(figures: ChartFigures): number | null;
  readonly page: PageRules;

  /** The columns of the table form; those of the series come first. */
  columns(figures: ChartFigures, decimals: number | undefined): readonly FigureColumn[];
  /** Text alternative: the type, and the figures if they are few. `title` null: the label of the dimension. */
  altText(figures: ChartFigures, title: string | null, decimals?: number): string;
  /** Shown instead of a chart without answers. */
  readonly emptyText: { readonly title: string; readonly text: string };
}
