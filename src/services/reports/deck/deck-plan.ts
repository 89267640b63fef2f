import type { ColumnChoice } from '../../../domain/charts/config-parts.ts';
import type { ChartType } from '../../../domain/charts/chart-types.ts';
import { isFigureChart } from '../../../domain/charts/chart-types.ts';
import { type DeckProblem, isProblem } from '../../../domain/reports/deck.ts';
import {
  type SlideChart,
  type SlideContent,
  slideContentSchema,
  type SlideFigure,
} from '../../../domain/reports/slide-content.ts';
import type { SlideType } from '../../../domain/reports/slide-types.ts';
import type { DashboardChartRow } from '../../../repositories/dashboard-charts.ts';
import type { ReportSlideRow } from '../../../repositories/report-slides.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import { elementRequest } from '../../dashboards/asked-elements.ts';
import type { ChartRequest } from '../../dashboards/chart-request.ts';
import { readChartConfig, sourceOf } from '../../dashboards/chart-source.ts';
import { type DeckSurveys, SURVEY_DELETED } from './deck-surveys.ts';
import { orProblem } from './problem-words.ts';

/** Figures that a slide asks for, and for whom: what of a survey is only to be seen on a dashboard is told as there. */
export interface AskedFigure {
  request: ChartRequest;
  surveyId: number;
  audience: 'member' | 'client';
}

export interface PlannedFigure {
  /** Its own, or its element's. */
  title: string | null;
  ask: AskedFigure | DeckProblem;
}

/** A slide as it is stored, and what it asks for. */
export type PlannedSlide = {
  [Type in SlideType]: {
    type: Type;
    title: string | null;
    content: SlideContent<Type>;
    figures: PlannedFigure[];
  };
}[SlideType];

/** What of a survey a report shows. */
export interface ShownOfSurvey {
  columns: ColumnChoice[];
  /** By their codes. */
  weights: Set<string>;
}

export interface DeckPlan {
  slides: PlannedSlide[];
  /** By survey; of those that are not seen, or on a dashboard only, nothing. */
  shown: ReadonlyMap<number, ShownOfSurvey>;
}

type Part = SlideChart | SlideFigure;

/** What every slide asks for, or why it cannot; no figure is made yet. */
export async function planDeck(
  rows: readonly ReportSlideRow[],
  repositories: Pick<Repositories, 'dashboardCharts'>,
  surveys: DeckSurveys,
): Promise<DeckPlan> {
  const slides = rows.map(readSlide);
  const chartIds = slides.flatMap(({ content }) =>
    partsOf(content).flatMap((part) => ('chart_id' in part ? [part.chart_id] : [])),
  );
  const elements = await repositories.dashboardCharts.byIds(surveys.by.organizationId, chartIds);
  const shown = new Map<number, ShownOfSurvey>();
  for (const slide of slides) {
    for (const part of partsOf(slide.content)) {
      const isElement = 'chart_id' in part;
      const element = isElement ? elements.get(part.chart_id) : undefined;
      const ask = await orProblem(() =>
        isElement ? askedElement(element, slide.type, surveys) : askedChart(part, repositories, surveys),
      );
      slide.figures.push({ title: part.title ?? element?.chart_title ?? null, ask });
      if (!isProblem(ask) && ask.audience === 'member') noteChart(shown, ask);
    }
    if (slide.type === 'table' && (await surveys.sees(slide.content.survey_id)))
      noteTable(shown, slide.content);
  }
  return { slides, shown };
}

function readSlide({
  slide_type: type,
  slide_title: title,
  slide_content: content,
}: ReportSlideRow): PlannedSlide {
  // The content was read by the schema of this very type, which the compiler cannot follow over the union.
  return { type, title, content: slideContentSchema(type).parse(content), figures: [] } as PlannedSlide;
}

function partsOf(content: SlideContent): Part[] {
  if ('charts' in content) return content.charts;
  return 'figures' in content ? content.figures : [];
}

async function askedElement(
  element: (DashboardChartRow & { dashboard_id: number }) | undefined,
  slide: SlideType,
  surveys: DeckSurveys,
): Promise<AskedFigure | DeckProblem> {
  if (element === undefined || !(await surveys.seesDashboard(element.dashboard_id)))
    return {
      problem:
        'The element that this follows is gone from its dashboard, or whoever made this file may not see it',
    };
  const { survey_id: surveyId, survey_gone: isGone, chart_type: type } = element;
  if (isGone) return SURVEY_DELETED;
  if (surveyId === null || !fits(type, slide))
    return { problem: `The element that this follows is now of type ${type}, which does not stand here` };
  const audience = (await surveys.sees(surveyId)) ? 'member' : 'client';
  return { request: elementRequest(element, undefined), surveyId, audience };
}

const fits = (type: ChartType, slide: SlideType): boolean =>
  slide === 'key-figures' ? type === 'variable' || type === 'kpi' || type === 'gauge' : isFigureChart(type);

async function askedChart(
  { chart_type: type, chart_config: input }: Exclude<Part, { chart_id: number }>,
  repositories: Pick<Repositories, 'dashboardCharts'>,
  surveys: DeckSurveys,
): Promise<AskedFigure | DeckProblem> {
  const read = readChartConfig(type, input, '');
  const sees = (surveyId: number) => surveys.sees(surveyId);
  const { config, surveyId } = await sourceOf(repositories, surveys.by.organizationId, read, sees, '');
  if (!(await surveys.sees(surveyId!))) return surveys.missing(surveyId!);
  return { request: { chartType: type, config, surveyId }, surveyId: surveyId!, audience: 'member' };
}

function noted(shown: Map<number, ShownOfSurvey>, surveyId: number): ShownOfSurvey {
  const known = shown.get(surveyId) ?? { columns: [], weights: new Set<string>() };
  shown.set(surveyId, known);
  return known;
}

function noteChart(shown: Map<number, ShownOfSurvey>, { request: { config }, surveyId }: AskedFigure): void {
  const { columns, weights } = noted(shown, surveyId);
  if (!('dimension' in config)) return;
  if (config.weight_column !== undefined) weights.add(config.weight_column);
  columns.push(config.dimension);
  const measured =
    'variable' in config ? [config.variable] : [config.aggregation ?? {}, config.line_aggregation ?? {}];
  for (const { column_code } of measured as { column_code?: string }[])
    if (column_code !== undefined) columns.push({ column_code });
  if ('series' in config && config.series !== undefined) columns.push(config.series);
}

function noteTable(shown: Map<number, ShownOfSurvey>, table: SlideContent<'table'>): void {
  const { columns, weights } = noted(shown, table.survey_id);
  if (table.weight_column !== undefined) weights.add(table.weight_column);
  columns.push(...[...table.rows, ...table.columns].flat().map((column_code) => ({ column_code })));
}
