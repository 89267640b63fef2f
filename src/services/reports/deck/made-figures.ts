import type { ChartConfig, VariableConfig } from '../../../domain/charts/chart-config.ts';
import type { ChartFigures, VariableFigure } from '../../../domain/charts/chart-data.ts';
import type { FigureConfig } from '../../../domain/charts/figure-config.ts';
import type { ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import { chartAltText } from '../../../domain/reports/chart-alt-text.ts';
import {
  type DeckChart,
  type DeckNumber,
  type DeckProblem,
  isProblem,
} from '../../../domain/reports/deck.ts';
import { formatSingleFigure, formatVariableFigure } from '../../../domain/reports/format-figure.ts';
import { chartSourceLines, variableSourceLines } from '../../../domain/reports/source-lines.ts';
import type { ChartError, ChartReply } from '../../dashboards/chart-figures.ts';
import type { PlannedFigure } from './deck-plan.ts';
import { SURVEY_DELETED } from './deck-surveys.ts';
import { problemIn, problemOf } from './problem-words.ts';

/** What was asked for, as far as it could be made, and the columns by which it is told. */
export interface MadeFigure {
  planned: PlannedFigure;
  reply: ChartReply | ChartError | null;
  /** Null: nothing was made, or the survey went meanwhile. */
  catalog: ColumnCatalog | null;
}

type Made<Figure> = { figures: Figure; config: ChartConfig; catalog: ColumnCatalog };

function madeOf({
  planned: { ask },
  reply,
  catalog,
}: MadeFigure): Made<ChartFigures | VariableFigure> | DeckProblem {
  if (isProblem(ask)) return ask;
  if (reply === null) throw new Error('a figure was not made');
  if ('error' in reply) return problemIn(reply);
  if (catalog === null) return SURVEY_DELETED;
  if (reply.chart_type === 'text' || reply.chart_type === 'filter')
    throw new Error(`a ${reply.chart_type} has no figures`);
  return { figures: reply, config: ask.request.config, catalog };
}

/** A chart with what stands below it. `title`: null where the slide has said it. */
export function deckChart(made: MadeFigure, title: string | null, slideTitle: string | null): DeckChart {
  const found = madeOf(made);
  if (isProblem(found)) return brokenChart(found, title);
  const { config, catalog } = found;
  const figures = found.figures as ChartFigures;
  const { options } = config as FigureConfig;
  try {
    const source = chartSourceLines(figures.chart_type, config as FigureConfig, figures, catalog);
    const alt = chartAltText(figures, title ?? slideTitle, options.decimals);
    return { title, figures, options, axisMax: null, source, alt };
  } catch (error) {
    return brokenChart(problemOf(error), title);
  }
}

const brokenChart = (figures: DeckProblem, title: string | null): DeckChart => ({
  title,
  figures,
  options: {},
  axisMax: null,
  source: [],
  alt: figures.problem,
});

/** What a chart is called that has no title. */
export function labelOf(made: MadeFigure): string | null {
  const { title } = made.planned;
  if (title !== null) return title;
  const found = madeOf(made);
  return isProblem(found) ? null : found.figures.dimension.label;
}

export function deckNumber(made: MadeFigure): DeckNumber {
  const label = labelOf(made) ?? '';
  const found = madeOf(made);
  if (isProblem(found)) return { label, value: found, change: null, sparkline: [], source: [] };
  const { figures, config, catalog } = found;
  try {
    if (figures.chart_type === 'variable') {
      const variable = config as VariableConfig;
      return {
        label,
        ...formatVariableFigure(variable, figures),
        source: variableSourceLines(variable, figures, catalog),
      };
    }
    const single = config as FigureConfig;
    const source = chartSourceLines(figures.chart_type, single, figures, catalog);
    return { label, ...formatSingleFigure(figures, single.options.decimals), source };
  } catch (error) {
    return { label, value: problemOf(error), change: null, sparkline: [], source: [] };
  }
}
