import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { ColumnChoice } from '../../../domain/charts/chart-config.ts';
import { type ChartType, chartTypeOf } from '../../../domain/charts/registry.ts';
import { type DeckProblem, isProblem } from '../../../domain/reports/deck.ts';
import {
  type SlideContent,
  slideContentSchema,
  type SlideElement,
} from '../../../domain/reports/slide-content.ts';
import type { SlideType } from '../../../domain/charts/slide-type.ts';
import { type SurveySettings, surveySettingsOf } from '../../../domain/survey/survey-settings.ts';
import { AppError, type ErrorDetail } from '../../../lib/errors.ts';
import { requireValue } from '../../../lib/require-value.ts';
import type { DashboardChartRow } from '../../../repositories/dashboards.ts';
import type { ReportSlideRow } from '../../../repositories/reports.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { Store } from '../../../repositories/store.ts';
import type { AccessService } from '../../access.ts';
import { type Author, readChartConfig, resolveSource } from '../../dashboards/chart-source.ts';
import { toChartRequest } from '../../dashboards/dashboard-content.ts';
import type { ChartRequest } from '../../dashboards/resolve-chart.ts';

/** The surveys and dashboards of a report that the author of the file can see. */
export class DeckAccess {
  private readonly scopes = new Map<number, Promise<SurveyScope | null>>();
  private readonly dashboards = new Map<number, Promise<boolean>>();

  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
    readonly by: Author,
  ) {}

  /** Returns null if the author cannot see the survey. */
  surveyScope(surveyId: number): Promise<SurveyScope | null> {
    const known =
      this.scopes.get(surveyId) ??
      nullIfRefused(this.access.survey({ caller: this.by, surveyId, need: 'view' }));
    this.scopes.set(surveyId, known);
    return known;
  }

  async canSeeSurvey(surveyId: number): Promise<boolean> {
    return (await this.surveyScope(surveyId)) !== null;
  }

  /** Includes dashboards shared with the author. */
  canSeeDashboard(dashboardId: number): Promise<boolean> {
    const known =
      this.dashboards.get(dashboardId) ??
      nullIfRefused(this.access.dashboard({ caller: this.by, dashboardId, need: 'view' })).then(
        (scope) => scope !== null,
      );
    this.dashboards.set(dashboardId, known);
    return known;
  }

  /** The reason why a survey is not shown. */
  async missingProblem(surveyId: number): Promise<DeckProblem> {
    const state = await this.store.read.surveys.findState(surveyId);
    return state?.organization_id === this.by.organizationId
      ? { problem: 'The author of this file may not see the survey of this figure' }
      : SURVEY_DELETED;
  }

  async loadSettings(surveyIds: readonly number[]): Promise<ReadonlyMap<number, SurveySettings>> {
    const states = await this.store.read.surveys.findStates([...new Set(surveyIds)]);
    return new Map(
      [...states].map(([surveyId, state]) => [surveyId, surveySettingsOf(state.survey_settings)]),
    );
  }
}

export const SURVEY_DELETED: DeckProblem = { problem: 'The survey of this figure was deleted' };

/** Returns null instead of an AppError, such as not found or forbidden. */
export async function nullIfRefused<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Texts for references to missing columns and values, by the field of the error. */
const MISSING_TEXTS: [RegExp, string][] = [
  [/^filter/, 'The filter of this figure uses a column or value that is no longer in the survey'],
  [/^weight/, 'The weight of this figure is no longer in the survey'],
  [
    /^(nets|aggregation\.value|variable\.value)/,
    'This figure counts answers that its question no longer has',
  ],
  [/./, 'The question of this figure is no longer in the survey'],
];

/** Converts an AppError to a text for readers of the report; rethrows other errors. */
export function toProblem(error: unknown): DeckProblem {
  if (!(error instanceof AppError)) throw error;
  const [first] = error.details;
  const prefix = first === undefined ? '' : `${first.field}: `;
  const reason = error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
  const missing = first?.isUnknownReference === true ? missingText(first) : undefined;
  return {
    problem: missing === undefined ? `This figure cannot be shown: ${reason}` : `${missing} (${reason})`,
  };
}

function missingText({ field }: ErrorDetail): string | undefined {
  return MISSING_TEXTS.find(([pattern]) => pattern.test(field))?.[1];
}

/** Returns the result, or the problem instead of an AppError. */
export async function catchProblem<T>(make: () => T | Promise<T>): Promise<T | DeckProblem> {
  try {
    return await make();
  } catch (error) {
    return toProblem(error);
  }
}

/** A figure that a slide requests, with its audience: a survey that the author sees only on a dashboard is shown as there. */
export interface PlannedRequest {
  request: ChartRequest;
  surveyId: number;
  audience: 'member' | 'client';
}

export interface PlannedFigure {
  /** Title of the slide part, or of the linked element. */
  title: string | null;
  request: PlannedRequest | DeckProblem;
}

/** A stored slide with the figures that it requests. */
export type PlannedSlide = {
  [Type in SlideType]: {
    type: Type;
    title: string | null;
    content: SlideContent<Type>;
    figures: PlannedFigure[];
  };
}[SlideType];

/** What a report shows of a survey. */
export interface SurveyUsage {
  columns: ColumnChoice[];
  /** Column codes. */
  weights: Set<string>;
}

export interface DeckPlan {
  slides: PlannedSlide[];
  /** By survey; only surveys that the author can see. */
  usage: ReadonlyMap<number, SurveyUsage>;
}

/** Plans the figures of every slide, or the reason why they cannot be shown. Computes nothing. */
export async function planDeck(
  rows: readonly ReportSlideRow[],
  repositories: Pick<Repositories, 'dashboards'>,
  surveys: DeckAccess,
): Promise<DeckPlan> {
  const slides = rows.map(readSlide);
  const chartIds = slides.flatMap(({ content }) =>
    listParts(content).flatMap((part) => ('chart_id' in part ? [part.chart_id] : [])),
  );
  const elements = await repositories.dashboards.findCharts(surveys.by.organizationId, chartIds);
  const shown = new Map<number, SurveyUsage>();
  for (const slide of slides) {
    for (const part of listParts(slide.content)) {
      const isElement = 'chart_id' in part;
      const element = isElement ? elements.get(part.chart_id) : undefined;
      const request = await catchProblem(() =>
        isElement
          ? resolveElement(element, slide.type, surveys)
          : resolveOwnChart(part, repositories, surveys),
      );
      slide.figures.push({ title: part.title ?? element?.chart_title ?? null, request: request });
      if (!isProblem(request) && request.audience === 'member') recordChartUsage(shown, request);
    }
    if (slide.type === 'table' && (await surveys.canSeeSurvey(slide.content.survey_id)))
      recordTableUsage(shown, slide.content);
  }
  return { slides, usage: shown };
}

function readSlide({
  slide_type: type,
  slide_title: title,
  slide_content: content,
}: ReportSlideRow): PlannedSlide {
  // Parsed by the schema of this slide type, which the compiler cannot infer across the union.
  return { type, title, content: slideContentSchema(type).parse(content), figures: [] } as PlannedSlide;
}

function listParts(content: SlideContent): SlideElement[] {
  if ('charts' in content) return content.charts;
  return 'figures' in content ? content.figures : [];
}

async function resolveElement(
  element: (DashboardChartRow & { dashboard_id: number }) | undefined,
  slide: SlideType,
  surveys: DeckAccess,
): Promise<PlannedRequest | DeckProblem> {
  if (element === undefined || !(await surveys.canSeeDashboard(element.dashboard_id)))
    return {
      problem: 'The linked dashboard element was deleted, or the author of this file may not see it',
    };
  const { survey_id: surveyId, survey_gone: isGone, chart_type: type } = element;
  if (isGone) return SURVEY_DELETED;
  if (surveyId === null || !isAllowedOn(type, slide))
    return { problem: `The linked dashboard element is now of type ${type}, which is not allowed here` };
  const audience = (await surveys.canSeeSurvey(surveyId)) ? 'member' : 'client';
  return { request: toChartRequest(element, undefined), surveyId, audience };
}

/** The type of a linked element can change. A gauge shows one number too, so it is still shown among key figures. */
const isAllowedOn = (type: ChartType, slide: SlideType): boolean => {
  const { slides, showsOneNumber } = chartTypeOf(type);
  return slides.includes(slide) || (slide === 'key-figures' && showsOneNumber);
};

async function resolveOwnChart(
  { chart_type: type, chart_config: input }: Exclude<SlideElement, { chart_id: number }>,
  repositories: Pick<Repositories, 'dashboards'>,
  surveys: DeckAccess,
): Promise<PlannedRequest | DeckProblem> {
  const read = readChartConfig(type, input, '');
  const canSee = (surveyId: number) => surveys.canSeeSurvey(surveyId);
  const source = await resolveSource({
    repositories,
    organizationId: surveys.by.organizationId,
    type,
    config: read,
    canSee,
    field: '',
  });
  const surveyId = requireValue(source.surveyId, 'survey of the chart');
  if (!(await surveys.canSeeSurvey(surveyId))) return surveys.missingProblem(surveyId);
  return { request: { chartType: type, config: source.config, surveyId }, surveyId, audience: 'member' };
}

function usageOf(shown: Map<number, SurveyUsage>, surveyId: number): SurveyUsage {
  const known = shown.get(surveyId) ?? { columns: [], weights: new Set<string>() };
  shown.set(surveyId, known);
  return known;
}

function recordChartUsage(
  shown: Map<number, SurveyUsage>,
  { request: { config }, surveyId }: PlannedRequest,
): void {
  const { columns, weights } = usageOf(shown, surveyId);
  if (!('dimension' in config)) return;
  if (config.weight_column !== undefined) weights.add(config.weight_column);
  columns.push(config.dimension);
  const measured =
    'variable' in config ? [config.variable] : [config.aggregation ?? {}, config.line_aggregation ?? {}];
  for (const { column_code } of measured as { column_code?: string }[])
    if (column_code !== undefined) columns.push({ column_code });
  if ('series' in config && config.series !== undefined) columns.push(config.series);
}

function recordTableUsage(shown: Map<number, SurveyUsage>, table: SlideContent<'table'>): void {
  const { columns, weights } = usageOf(shown, table.survey_id);
  if (table.weight_column !== undefined) weights.add(table.weight_column);
  columns.push(...[...table.rows, ...table.columns].flat().map((column_code) => ({ column_code })));
}
