import type { DashboardScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import { chartTypeOf } from '../../domain/charts/registry.ts';
import type { SlideElement } from '../../domain/reports/slide-content.ts';
import { splitHeading } from '../../domain/reports/split-slides.ts';
import { forbidden, notFound } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { DashboardChartRow } from '../../repositories/dashboards.ts';
import type { ReportRow, SlideFields } from '../../repositories/reports.ts';
import type { Store } from '../../repositories/store.ts';
import type { DashboardContent, DashboardContentReader } from '../dashboards/dashboard-content.ts';
import { reportObject } from './reports.ts';
import { refuseTooManySlides } from './report-slides.ts';

const MAX_FIGURES_A_SLIDE = 4;

interface ReportChoice {
  /** Of the report, and on its cover. Default: that of the dashboard. */
  name: string | undefined;
  /** Whether slides follow the elements of the dashboard. */
  linked: boolean;
}

/**
 * Builds the slides of a dashboard: a title, a section per page if there are several, the key figures of each page, a slide per chart and
 * text, and an appendix if there are figures. Slides that are not linked have copies of the configurations. Omits elements whose survey was
 * deleted.
 */
function buildDashboardSlides(
  { dashboard, pages, charts }: DashboardContent,
  { name, linked }: ReportChoice,
): SlideFields[] {
  const shown = charts.filter(({ survey_gone }) => !survey_gone);
  const result = pages.flatMap(({ page_id, page_title }) => {
    const elements = shown.filter((element) => element.page_id === page_id);
    const slides = buildPageSlides(elements, linked);
    if (slides.length === 0 || pages.length === 1) return slides;
    return [createSlide('section', page_title, {}), ...slides];
  });
  const subtitle = dashboard.dashboard_description?.slice(0, 500).trim();
  const title = createSlide('title', name ?? dashboard.dashboard_name, subtitle ? { subtitle } : {});
  const hasFigures = shown.some(
    ({ survey_id, chart_type }) => survey_id !== null && chartTypeOf(chart_type).slides.length > 0,
  );
  const appendix = createSlide('appendix', 'Appendix', {
    parts: ['sample', 'field', 'weighting', 'questions'],
  });
  return [title, ...result, ...(hasFigures ? [appendix] : [])];
}

/** Puts consecutive key figures on shared slides. */
function buildPageSlides(elements: readonly DashboardChartRow[], linked: boolean): SlideFields[] {
  const slides: SlideFields[] = [];
  const figures = elements.filter(isKeyFigure).map((element) => toSlidePart(element, linked));
  const hasRoomAt = elements.findIndex(isKeyFigure);
  for (const [index, element] of elements.entries()) {
    if (index === hasRoomAt) slides.push(...buildFigureSlides(figures));
    if (slideOf(element) === 'text') slides.push(buildTextSlide(element));
    else if (slideOf(element) === 'chart')
      slides.push(createSlide('chart', element.chart_title, { charts: [toSlidePart(element, linked)] }));
  }
  return slides;
}

const slideOf = ({ chart_type }: DashboardChartRow) => chartTypeOf(chart_type).slides[0];
const isKeyFigure = (element: DashboardChartRow): boolean => slideOf(element) === 'key-figures';

function buildFigureSlides(figures: readonly SlideElement[]): SlideFields[] {
  const count = Math.ceil(figures.length / MAX_FIGURES_A_SLIDE);
  // Distributes figures evenly rather than leaving one on the last slide.
  const each = Math.ceil(figures.length / count);
  return Array.from({ length: count }, (_, index) =>
    createSlide('key-figures', 'Key figures', { figures: figures.slice(index * each, (index + 1) * each) }),
  );
}

/** The title of a chart is the title of its slide; key figures keep their own. */
function toSlidePart(element: DashboardChartRow, linked: boolean): SlideElement {
  const { chart_id, chart_type, chart_title, chart_config } = element;
  if (linked) return { chart_id };
  const title = isKeyFigure(element) && chart_title !== null ? { title: chart_title } : {};
  // Safe: elements are validated before they are stored.
  return { chart_type, chart_config, ...title };
}

/** Uses the element's title, or the heading that the text starts with, as slide title. */
function buildTextSlide({ chart_title, chart_config }: DashboardChartRow): SlideFields {
  const text = (chart_config as { text: string }).text.trim();
  const parts = chart_title === null ? splitHeading(text) : null;
  if (parts === null) return createSlide('text', chart_title, { text });
  return createSlide('text', parts.heading.slice(0, 500), { text: parts.rest });
}

const createSlide = (
  slide_type: SlideFields['slide_type'],
  slide_title: string | null,
  slide_content: Record<string, unknown>,
): SlideFields => ({ slide_type, slide_title, slide_content });

/** The workspace of the new report and its source dashboard. */
export interface FromDashboardScope extends WorkspaceScope {
  dashboard: DashboardScope;
}

/** Creates reports from dashboards. */
export class ReportFromDashboardService {
  constructor(
    private readonly store: Store,
    private readonly contents: DashboardContentReader,
  ) {}

  async create(scope: FromDashboardScope, choice: ReportChoice): Promise<ReportRow> {
    const { name, linked } = choice;
    const { dashboard: from } = scope;
    // Users that a dashboard is shared with cannot see its filters and weights, so they must not get a copy of them.
    if (!linked && from.role === null)
      throw forbidden(
        'You have view access to this dashboard only; its report must be linked (linked: true)',
      );
    const content = await this.contents.read(from);
    if (content === null) throw notFound('dashboard');
    const slides = buildDashboardSlides(content, choice);
    const { dashboard_name, dashboard_description, dashboard_settings } = content.dashboard;
    const { color } = dashboard_settings;
    return this.store.transaction(async (repositories) => {
      const reportId = await repositories.reports.create(scope, {
        workspace_id: scope.workspaceId,
        report_name: name ?? dashboard_name,
        report_description: dashboard_description,
        report_settings: typeof color === 'string' ? { color } : {},
      });
      const created = { ...scope, reportId };
      await refuseTooManySlides(repositories, created, slides.length);
      await repositories.reports.insertSlide(created, 1, slides);
      await repositories.audit.record(
        reportObject.auditEntry(created, 'created', { dashboard_id: from.dashboardId }),
      );
      return requireValue(await repositories.reports.find(created), 'new report');
    });
  }
}
