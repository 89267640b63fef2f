import type { FigureConfig } from '../../../domain/charts/chart-config.ts';
import { type ChartConfig, figureTypeOf } from '../../../domain/charts/registry.ts';
import type { VariableConfig } from '../../../domain/charts/types/variable.ts';
import type { ChartFigures, VariableFigure } from '../../../domain/charts/chart-data.ts';
import type { ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import {
  type DeckChart,
  type DeckNumber,
  type DeckProblem,
  isProblem,
} from '../../../domain/reports/deck.ts';
import {
  chartSourceLines,
  formatSingleFigure,
  formatVariableFigure,
  variableSourceLines,
} from '../../../domain/reports/source-lines.ts';
import type { ChartOutcome } from '../../dashboards/chart-figures.ts';
import type { PlannedFigure } from './deck-plan.ts';
import { SURVEY_DELETED } from './deck-access.ts';
import { toProblem } from './deck-problem.ts';

/** A planned figure with its result and the columns that label it. */
export interface ComputedFigure {
  planned: PlannedFigure;
  outcome: ChartOutcome | null;
  /** null if nothing was computed or the survey was deleted meanwhile. */
  catalog: ColumnCatalog | null;
}

type ShownFigure<Figure> = { figures: Figure; config: ChartConfig; catalog: ColumnCatalog };

function requireFigures({
  planned: { request: request },
  outcome,
  catalog,
}: ComputedFigure): ShownFigure<ChartFigures | VariableFigure> | DeckProblem {
  if (isProblem(request)) return request;
  if (outcome === null) throw new Error('a figure was not computed');
  if ('failure' in outcome) return toProblem(outcome.failure);
  if (catalog === null) return SURVEY_DELETED;
  const { reply } = outcome;
  if (!('notes' in reply)) throw new Error(`a ${reply.chart_type} has no figures`);
  return { figures: reply, config: request.request.config, catalog };
}

/** A chart with its source lines. `title`: null if the slide shows it. */
export function buildDeckChart(
  computed: ComputedFigure,
  title: string | null,
  slideTitle: string | null,
): DeckChart {
  const found = requireFigures(computed);
  if (isProblem(found)) return problemChart(found, title);
  const { config, catalog } = found;
  const figures = found.figures as ChartFigures;
  const { options } = config as FigureConfig;
  try {
    const source = chartSourceLines(config as FigureConfig, figures, catalog);
    const alt = figureTypeOf(figures).altText(figures, title ?? slideTitle, options.decimals);
    return { title, figures, options, axisMax: null, source, alt };
  } catch (error) {
    return problemChart(toProblem(error), title);
  }
}

const problemChart = (figures: DeckProblem, title: string | null): DeckChart => ({
  title,
  figures,
  options: {},
  axisMax: null,
  source: [],
  alt: figures.problem,
});

/** Label of a chart without a title. */
export function figureLabel(computed: ComputedFigure): string | null {
  const { title } = computed.planned;
  if (title !== null) return title;
  const found = requireFigures(computed);
  return isProblem(found) ? null : found.figures.dimension.label;
}

export function buildDeckNumber(computed: ComputedFigure): DeckNumber {
  const label = figureLabel(computed) ?? '';
  const found = requireFigures(computed);
  if (isProblem(found)) return { label, value: found, change: null, sparkline: [], source: [] };
  const { figures, config, catalog } = found;
  try {
    if ('metric' in figures) {
      const variable = config as VariableConfig;
      return {
        label,
        ...formatVariableFigure(variable, figures),
        source: variableSourceLines(variable, figures, catalog),
      };
    }
    const single = config as FigureConfig;
    const source = chartSourceLines(single, figures, catalog);
    return { label, ...formatSingleFigure(figures, single.options.decimals), source };
  } catch (error) {
    return { label, value: toProblem(error), change: null, sparkline: [], source: [] };
  }
}
