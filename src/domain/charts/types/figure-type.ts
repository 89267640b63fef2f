import { computeChartFigures } from '../chart.ts';
import { type FigureKind, figureConfigSchema, figureForm } from '../chart-config.ts';
import type { ChartFigures } from '../chart-data.ts';
import {
  columnsOfPlan,
  type ChartPlan,
  countsAnswersOnly,
  resolveChartPlan,
  withQuestion,
} from '../figures/chart-plan.ts';
import type { FigureTypeModule } from '../chart-type.ts';
import { chartAltText, figureColumns } from '../figures/figure-texts.ts';

/** The members that differ between chart types; the others have a default, which a type can replace. */
type FigureTypeRules<Type extends string, Writer extends string | null> = Pick<
  FigureKind<Type>,
  'type' | 'layout'
> &
  Pick<FigureTypeModule<Type, Writer>, 'name' | 'draw' | 'nativeWriter' | 'example'> &
  Partial<FigureTypeModule<Type, Writer>> & {
    /** Throws 422 for a question that the type cannot show, once the columns are known. */
    checkPlan?: (plan: ChartPlan) => void;
  };

/** Creates a chart type from its rules. The form of the configuration, the series and the texts are those of every chart. */
export function figureType<const Type extends string, const Writer extends string | null>({
  checkPlan,
  ...rules
}: FigureTypeRules<Type, Writer>): FigureTypeModule<Type, Writer> {
  const { type, layout, hasLine = false, checkConfig, name, draw } = rules;
  const kind: FigureKind<Type> = { type, layout, hasLine, ...(checkConfig && { checkConfig }) };
  const isSingle = layout === 'single';
  const chartType: FigureTypeModule<Type, Writer> = {
    hasLine,
    form: figureForm,
    schema: figureConfigSchema(kind),
    columnField: 'dimension',
    plan: (config, catalog) => {
      const plan = resolveChartPlan(kind, config, catalog);
      checkPlan?.(plan);
      return plan;
    },
    figures: computeChartFigures,
    resolve: (config, catalog) => {
      const plan = chartType.plan(config, catalog);
      return {
        columns: columnsOfPlan(plan),
        showsTexts: !countsAnswersOnly(plan),
        compute: (dataset, settings) => chartType.figures(dataset, plan, settings),
        stored: () => ({
          ...config,
          aggregation: plan.config.aggregation,
          dimension: withQuestion(config.dimension, plan.dimension.entry),
        }),
      };
    },
    view: 'drawing',
    showsOneNumber: isSingle,
    gridSize: { w: 6, h: 6 },
    slides: ['chart'],
    maxCategories: () => null,
    page: { isCentered: false, hasSmallMarks: false, tooltip: () => 'index' },
    columns: figureColumns,
    altText: (figures, title, decimals) =>
      chartAltText(figures, title, {
        name,
        columns: chartType.columns(figures, decimals).slice(0, figures.series.length),
        hasAxes: draw !== null && !isSingle,
      }),
    emptyText: { title: 'No answers yet', text: 'No respondents in this selection have answered.' },
    ...rules,
  };
  return chartType;
}

/** Maximum number of categories with readable names in one chart. */
const MAX_CATEGORIES = 24;
/** Maximum number of bars of one chart with several bars per category. */
const MAX_BARS = 48;
const MIN_CATEGORIES = 6;

/** For `maxCategories` of charts with bars: the most categories with readable names. */
export function maxBarCategories({ series }: ChartFigures): number {
  if (series.length <= 1) return MAX_CATEGORIES;
  return Math.min(MAX_CATEGORIES, Math.max(MIN_CATEGORIES, Math.floor(MAX_BARS / series.length)));
}

/** For `maxCategories` of charts with one bar per category. */
export const maxStackCategories = ({ series_by: by }: ChartFigures): number | null =>
  by === null ? null : MAX_CATEGORIES;
