import { Readable } from 'node:stream';
import type { WorkspaceScope } from '../../domain/access/scopes.ts';
import { type ChartType, chartTypeOf } from '../../domain/charts/registry.ts';
import { questionsOf } from '../../domain/survey/definition.ts';
import type { Transform } from '../../domain/transforms/registry.ts';
import type { Clock } from '../../lib/clock.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { SlideType } from '../../domain/charts/slide-type.ts';
import type { ChartPosition } from '../../repositories/tables/results.ts';
import type { Store } from '../../repositories/store.ts';
import type { Services } from '../services.ts';

type DemoColumn =
  | { kind: 'computed'; code: string; label: string; expression: string }
  | { kind: 'transform'; source: string; code?: string; label?: string; transform: Transform };

interface DemoElement {
  chart_type: ChartType;
  chart_title: string | null;
  chart_config: Record<string, unknown>;
  position: ChartPosition;
}

/** A survey with responses, in the formats of the API. */
interface DemoSurvey {
  survey(): object;
  responses(): {
    submission_id: string;
    answers: Record<string, string | number | { no_answer: string } | null>;
  }[];
}

/** A survey with pictures and generated test responses. */
interface DemoExperiment {
  survey(): object;
  /** PNG files by the code of the question that shows them. */
  pictures(): Readonly<Record<string, Buffer>>;
  testResponses: { count: number; seed: number };
}

/** The demo survey with a dashboard and a report, a smaller survey with open answers, and an experiment. */
export interface DemoData extends DemoSurvey {
  name: string;
  moments(index: number, count: number, now: Date): { startedAt: Date; completedAt: Date };
  withTexts: DemoSurvey;
  experiment: DemoExperiment;
  columns: readonly DemoColumn[];
  /** The survey_id of its elements is filled in. */
  dashboard: {
    name: string;
    description: string;
    slug: string;
    pages: readonly { title: string; elements: readonly DemoElement[] }[];
  };
  report: {
    name: string;
    description: string;
    slides(
      surveyId: number,
    ): readonly { slide_type: SlideType; slide_title: string; slide_content: Record<string, unknown> }[];
  };
}

type DemoServices = Pick<
  Services,
  | 'surveyTransfer'
  | 'surveyPublishing'
  | 'surveyImages'
  | 'questions'
  | 'responseSeed'
  | 'responseRows'
  | 'transforms'
  | 'dashboards'
  | 'dashboardPages'
  | 'dashboardCharts'
  | 'dashboardShares'
  | 'reports'
  | 'reportSlides'
>;

/** Loads the demo surveys, the dashboard and the report through the services that the API uses. */
export class DemoService {
  constructor(
    private readonly store: Store,
    private readonly services: DemoServices,
    private readonly data: DemoData,
    private readonly clock: Clock,
  ) {}

  async load(scope: WorkspaceScope): Promise<void> {
    const surveyScope = await this.loadSurvey(scope, this.data);
    for (const column of this.data.columns) await this.makeColumn(surveyScope, column);
    await this.makeDashboard(scope, surveyScope.surveyId);
    await this.makeReport(scope, surveyScope.surveyId);
    await this.loadSurvey(scope, this.data.withTexts);
    await this.loadExperiment(scope, this.data.experiment);
  }

  private async loadSurvey(
    scope: WorkspaceScope,
    demo: DemoSurvey,
  ): Promise<WorkspaceScope & { surveyId: number }> {
    const survey = await this.services.surveyTransfer.import(scope, demo.survey());
    const surveyScope = { ...scope, surveyId: survey.survey_id };
    await this.services.surveyPublishing.publish(surveyScope);
    const responses = demo.responses();
    const now = this.clock.now();
    const rows = responses.map(({ submission_id: submissionId, answers }, index) => ({
      submissionId,
      answers,
      status: 'complete' as const,
      ...this.data.moments(index, responses.length, now),
      externalId: null,
      language: null,
    }));
    await this.services.responseRows.add(surveyScope, rows, true);
    await this.store.transaction((repositories) => repositories.surveys.markUnedited(surveyScope));
    return surveyScope;
  }

  private async loadExperiment(scope: WorkspaceScope, demo: DemoExperiment): Promise<void> {
    const { surveyTransfer, surveyImages, surveyPublishing, questions, responseSeed } = this.services;
    const { survey_id: surveyId } = await surveyTransfer.import(scope, demo.survey());
    const surveyScope = { ...scope, surveyId };
    const stored = questionsOf(await this.store.read.definitions.storedDraft(surveyId));
    for (const [code, picture] of Object.entries(demo.pictures())) {
      const shownBy = stored.find((question) => question.code === code);
      const { address } = await surveyImages.add(surveyScope, Readable.from([picture]));
      const { id } = requireValue(shownBy, 'question with a picture');
      await questions.update(surveyScope, id, { settings: { image_url: address } });
    }
    await surveyPublishing.publish(surveyScope);
    await responseSeed.add(surveyScope, demo.testResponses.count, demo.testResponses.seed);
    await this.store.transaction((repositories) => repositories.surveys.markUnedited(surveyScope));
  }

  /** Returns the token of the demo survey's link; null if it does not exist. */
  linkToken(): Promise<string | null> {
    return this.store.read.links.findOpenTokenBySurveyName(this.data.name);
  }

  /** Returns the path of the demo's public dashboard; null if it does not exist or is not public. */
  async dashboardPath(): Promise<string | null> {
    const organization = await this.store.read.organizations.findOldest();
    if (organization === null) return null;
    const path = `${organization.organization_slug}/${this.data.dashboard.slug}`;
    const openDashboards = await this.store.read.dashboardShares.findOpen([path]);
    return openDashboards.get(path)?.share_type === 'public' ? `/d/${path}` : null;
  }

  private async makeColumn(scope: WorkspaceScope & { surveyId: number }, column: DemoColumn): Promise<void> {
    const { transforms } = this.services;
    const common = { reason: null, dryRun: false };
    if (column.kind === 'computed') {
      const { code: columnCode, label, expression } = column;
      await transforms.compute(scope, { ...common, columnCode, label, expression, type: 'number' });
      return;
    }
    const { source, code, label, transform } = column;
    await transforms.transform(scope, {
      ...common,
      transform,
      columnCodes: [source],
      isList: false,
      targetColumnCode: code ?? null,
      label: label ?? null,
      overwrite: false,
      filter: undefined,
    });
  }

  private async makeDashboard(scope: WorkspaceScope, surveyId: number): Promise<void> {
    const { dashboards, dashboardPages, dashboardCharts, dashboardShares } = this.services;
    const { pages, name, description, slug } = this.data.dashboard;
    const created = await dashboards.create(scope, { name, description, slug, settings: null });
    const dashboardScope = { ...scope, dashboardId: created.dashboard_id };
    for (const { title, elements } of pages) {
      const page = await dashboardPages.create(dashboardScope, title);
      for (const { chart_type: type, chart_title: chartTitle, chart_config: config, position } of elements) {
        await dashboardCharts.create({ ...scope, role: 'admin' }, dashboardScope, {
          pageId: page.page_id,
          type,
          title: chartTitle,
          config: chartTypeOf(type).columnField === null ? config : { survey_id: surveyId, ...config },
          position,
        });
      }
    }
    await dashboardShares.create({ role: 'admin' }, dashboardScope, { type: 'public' });
  }

  private async makeReport(scope: WorkspaceScope, surveyId: number): Promise<void> {
    const { reports, reportSlides } = this.services;
    const { report } = this.data;
    const { name, description } = report;
    const { report_id: reportId } = await reports.create(scope, { name, description, settings: null });
    for (const { slide_type: type, slide_title: title, slide_content: content } of report.slides(surveyId)) {
      const slide = { type, title, content, position: null };
      await reportSlides.create({ ...scope, role: 'admin' }, { ...scope, reportId }, slide);
    }
  }
}
