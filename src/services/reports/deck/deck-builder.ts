import type { ColumnCatalog } from '../../../domain/dataset/column-catalog.ts';
import type { PublishedLabels } from '../../../domain/dataset/published-labels.ts';
import {
  crosstabDeckTable,
  crosstabNotes,
  withPublishedLabels,
} from '../../../domain/reports/deck-tables.ts';
import {
  type DeckHeader,
  type DeckImage,
  type DeckProblem,
  type DeckSlide,
  type DeckTable,
  isProblem,
  type MethodSection,
} from '../../../domain/reports/deck.ts';
import { formatBase } from '../../../domain/charts/figures/figure-texts.ts';
import { reportSettingsOf } from '../../../domain/reports/report.ts';
import type { SlideTable } from '../../../domain/reports/slide-content.ts';
import { questionLine, selectionLines } from '../../../domain/reports/source-lines.ts';
import type { CrosstabTable } from '../../../domain/statistics/crosstab/table.ts';
import type { Clock } from '../../../lib/clock.ts';
import { requireEntry, requireItem } from '../../../lib/require-value.ts';
import type { ReportRow, ReportSlideRow } from '../../../repositories/reports.ts';
import type { Store } from '../../../repositories/store.ts';
import type { AccessService } from '../../access.ts';
import type { ChartFigureService, ChartOutcome } from '../../dashboards/chart-figures.ts';
import type { Author } from '../../dashboards/chart-source.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import type { CrosstabService } from '../../figures/crosstabs.ts';
import type { PublishedWordings } from '../../surveys/survey-definitions.ts';
import { toCrosstabRequest } from '../report-slides.ts';
import {
  catchProblem,
  DeckAccess,
  type DeckPlan,
  nullIfRefused,
  planDeck,
  type PlannedRequest,
  type PlannedSlide,
} from './deck-plan.ts';
import {
  buildChartSlides,
  buildImageSlides,
  buildKeyFigureSlides,
  buildMethodSlides,
  buildTableSlides,
  buildTextSlides,
  type ComputedFigure,
  numberParts,
} from './deck-slides.ts';
import { METHOD_COLUMNS, MethodReader } from './deck-methods.ts';

const MEASURE_LABELS = {
  column_percent: 'percent of each column',
  row_percent: 'percent of each row',
  count: 'number of respondents',
} as const;
const BASE_LABELS = {
  answering: 'respondents who answered',
  shown: 'respondents who were shown the question',
  all: 'all respondents',
} as const;

/** The columns of a survey with the labels that readers of a report see. */
interface DeckColumns {
  catalog: ColumnCatalog;
  /** null: the survey is not published, labels are those of the draft. */
  labels: PublishedLabels | null;
}

/** Computes the crosstab of a slide. */
function buildDeckTable({
  table,
  surveys,
  crosstabs,
  columnsOf,
}: {
  table: SlideTable;
  surveys: DeckAccess;
  crosstabs: CrosstabService;
  columnsOf: (surveyId: number) => Promise<DeckColumns>;
}): Promise<DeckTable | DeckProblem> {
  return catchProblem(async () => {
    const scope = await surveys.surveyScope(table.survey_id);
    if (scope === null) return surveys.missingProblem(table.survey_id);
    const request = toCrosstabRequest(table);
    const crosstab = await crosstabs.compute(scope, request);
    const { catalog, labels } = await columnsOf(table.survey_id);
    const withLabels = (tables: CrosstabTable[]) =>
      labels === null ? tables : withPublishedLabels(tables, labels);
    const tables = withLabels(crosstab.tables);
    const totals =
      table.columns.length > 1
        ? withLabels((await crosstabs.compute(scope, { ...request, columns: [] })).tables)
        : null;
    const read = crosstabDeckTable(tables, {
      show: table.show,
      isWeighted: crosstab.weightColumn !== null,
      columnVariables: table.columns.length,
      totals,
    });
    const [first] = totals ?? tables;
    const columns = [...new Set(table.rows.flat())].flatMap((code) => catalog.find(code) ?? []);
    const by = [...new Set(table.columns.flat())].flatMap((code) => catalog.find(code)?.spec.label ?? []);
    const source = [
      ...(columns.length === 1 ? columns.map((column) => questionLine(column)) : []),
      ...(by.length > 0 ? [`By: ${by.join(', ')}`] : []),
      `Shown: ${MEASURE_LABELS[table.columns.length === 0 && table.show === 'row_percent' ? 'column_percent' : table.show]}, of ${BASE_LABELS[request.base]}`,
      ...(tables.length === 1 && first !== undefined ? [formatBase(first.base)] : []),
      ...selectionLines(table, catalog),
      ...crosstabNotes(tables, crosstab),
    ];
    return { ...read, source };
  });
}

/** Figures of so many slides are computed together, so that each survey is opened once for them. */
const BATCH_SLIDES = 20;

/** A report ready to be written to a file. */
export interface OpenDeck {
  head: DeckHeader;
  /** Generated while they are read, in batches. Can be iterated once. */
  slides: AsyncIterable<DeckSlide>;
  /** Number of stored slides; one may become several slides of the file. */
  slideCount: number;
  /** Number of stored slides generated so far. */
  slidesDone: () => number;
}

interface DeckContext {
  plan: DeckPlan;
  surveys: DeckAccess;
  pictureOf: (imageId: number) => Promise<DeckImage | null>;
}

/** Builds reports with current figures, as far as the author of the file can see them. */
export class DeckBuilder {
  private readonly store: Store;
  private readonly access: AccessService;
  private readonly datasets: DatasetService;
  private readonly figures: ChartFigureService;
  private readonly crosstabs: CrosstabService;
  private readonly clock: Clock;
  private readonly methods: MethodReader;
  private readonly wordings: PublishedWordings;

  constructor(computed: {
    store: Store;
    access: AccessService;
    datasets: DatasetService;
    figures: ChartFigureService;
    crosstabs: CrosstabService;
    clock: Clock;
    wordings: PublishedWordings;
  }) {
    this.store = computed.store;
    this.access = computed.access;
    this.datasets = computed.datasets;
    this.figures = computed.figures;
    this.crosstabs = computed.crosstabs;
    this.clock = computed.clock;
    this.methods = new MethodReader(computed);
    this.wordings = computed.wordings;
  }

  /** Content that cannot be shown is replaced by the reason; the report never fails because of it. */
  async open(by: Author, report: ReportRow, slides: readonly ReportSlideRow[]): Promise<OpenDeck> {
    const surveys = new DeckAccess(this.store, this.access, by);
    const key = { organizationId: report.organization_id, reportId: report.report_id };
    const pictureOf = async (imageId: number): Promise<DeckImage | null> => {
      const found = await this.store.read.reports.findImage(key, imageId);
      if (found === null) return null;
      const { picture: bytes, width, height, content_type: type } = found;
      return { kind: type === 'image/png' ? 'png' : 'jpeg', bytes, width, height };
    };
    const plan = await planDeck(slides, this.store.read, surveys);
    const head = await this.buildHead(by, report, pictureOf);
    let computed = 0;
    const handOut = this.generateSlides({ plan, surveys, pictureOf }, () => computed++);
    return { head, slides: handOut, slideCount: slides.length, slidesDone: () => computed };
  }

  private async buildHead(
    by: Author,
    report: ReportRow,
    pictureOf: DeckContext['pictureOf'],
  ): Promise<DeckHeader> {
    const { logo_image_id: logoId, ...style } = reportSettingsOf(report.report_settings);
    const [organization, author, logo] = await Promise.all([
      this.store.read.organizations.findById(report.organization_id),
      this.store.read.users.findActingUser(by.organizationId, by.userId),
      logoId === null ? null : pictureOf(logoId),
    ]);
    return {
      title: report.report_name,
      description: report.report_description,
      organization: organization?.organization_name ?? '',
      author: author?.user_name ?? '',
      createdAt: this.clock.now(),
      style: { ...style, logo },
    };
  }

  private async *generateSlides(deck: DeckContext, handedOut: () => void): AsyncGenerator<DeckSlide> {
    const { slides } = deck.plan;
    await this.preloadColumns(deck.plan);
    for (let start = 0; start < slides.length; start += BATCH_SLIDES) {
      const batch = slides.slice(start, start + BATCH_SLIDES);
      const columns = new Map<number, Promise<DeckColumns>>();
      const columnsOf = (surveyId: number): Promise<DeckColumns> => {
        const known = columns.get(surveyId) ?? this.readColumns(surveyId);
        columns.set(surveyId, known);
        return known;
      };
      const computed = await this.computeFigures(batch, deck.surveys, columnsOf);
      for (const slide of batch) {
        yield* await this.buildSlides({ slide, computed: computed.get(slide) ?? [], deck, columnsOf });
        handedOut();
      }
    }
  }

  /** Loads all columns of a survey in one scan rather than once per batch. */
  private async preloadColumns({ slides, usage: shown }: DeckPlan): Promise<void> {
    const result = slides.some(({ type }) => type === 'appendix') ? METHOD_COLUMNS : [];
    for (const [surveyId, { columns, weights }] of shown) {
      const codes = [...result, ...weights, ...columns.flatMap(({ column_code: code }) => code ?? [])];
      const ids = new Set(columns.flatMap(({ question_id: id }) => id ?? []));
      // Errors of a column are shown in place of its figure.
      await nullIfRefused(
        this.datasets.openFor(surveyId, (catalog) => {
          const named = codes.flatMap((code) => catalog.find(code)?.loadCodes ?? []);
          const questionColumns = catalog.columns.filter(({ spec }) => ids.has(spec.questionId ?? 0));
          return { loadCodes: [...named, ...questionColumns.flatMap(({ loadCodes }) => loadCodes)] };
        }),
      );
    }
  }

  /** Columns with the labels of the published version, or of the draft if the survey is not published. */
  private async readColumns(surveyId: number): Promise<DeckColumns> {
    const wording = await this.wordings.load(surveyId);
    const open = await this.datasets.openFor(surveyId, () => ({ loadCodes: [] }));
    if (wording === null) return { catalog: open.catalog, labels: null };
    return { catalog: wording.catalogOf(open), labels: wording.labelsOf(open) };
  }

  private async buildSlides({
    slide,
    computed,
    deck,
    columnsOf,
  }: {
    slide: PlannedSlide;
    computed: readonly ComputedFigure[];
    deck: DeckContext;
    columnsOf: (surveyId: number) => Promise<DeckColumns>;
  }): Promise<DeckSlide[]> {
    const { notes } = slide.content;
    switch (slide.type) {
      case 'title':
      case 'section': {
        const { type, title, content } = slide;
        return numberParts([{ type, title, subtitle: content.subtitle ?? null }], notes);
      }
      case 'text':
        return numberParts(buildTextSlides(slide), notes);
      case 'chart':
        return numberParts(buildChartSlides(slide, computed), notes);
      case 'key-figures':
        return numberParts(buildKeyFigureSlides(slide, computed), notes);
      case 'table': {
        const table = await buildDeckTable({
          table: slide.content,
          surveys: deck.surveys,
          crosstabs: this.crosstabs,
          columnsOf,
        });
        return numberParts(buildTableSlides(slide, table), notes);
      }
      case 'image':
        return numberParts(buildImageSlides(slide, await deck.pictureOf(slide.content.image_id)), notes);
      case 'appendix':
        return numberParts(buildMethodSlides(slide, await this.buildAppendix(slide.content, deck)), notes);
    }
  }

  /** Computes all charts together, by survey and audience. */
  private async computeFigures(
    slides: readonly PlannedSlide[],
    surveys: DeckAccess,
    columnsOf: (surveyId: number) => Promise<DeckColumns>,
  ): Promise<Map<PlannedSlide, ComputedFigure[]>> {
    const plannedRequests = slides.flatMap(({ figures }) =>
      figures.flatMap(({ request }) => (isProblem(request) ? [] : [request])),
    );
    const settings = await surveys.loadSettings(plannedRequests.map(({ surveyId }) => surveyId));
    const outcomes = new Map<PlannedRequest, ChartOutcome>();
    for (const audience of ['member', 'client'] as const) {
      const ofAudience = plannedRequests.filter((request) => request.audience === audience);
      const requests = ofAudience.map(({ request }) => request);
      const computed = await this.figures.computeOutcomes(requests, {
        audience,
        settings,
        isPublishedWording: true,
      });
      for (const [index, request] of ofAudience.entries())
        outcomes.set(request, requireItem(computed, index, 'outcome'));
    }
    const computed = new Map<PlannedSlide, ComputedFigure[]>();
    for (const slide of slides) {
      const figures: ComputedFigure[] = [];
      for (const planned of slide.figures) {
        const { request: ask } = planned;
        const outcome = isProblem(ask) ? null : requireEntry(outcomes, ask, 'outcome');
        const isComputed = !isProblem(ask) && outcome !== null && 'reply' in outcome;
        figures.push({
          planned,
          outcome,
          catalog: isComputed ? ((await nullIfRefused(columnsOf(ask.surveyId)))?.catalog ?? null) : null,
        });
      }
      computed.set(slide, figures);
    }
    return computed;
  }

  private async buildAppendix(
    { survey_ids: chosen, parts }: Extract<PlannedSlide, { type: 'appendix' }>['content'],
    { plan, surveys }: DeckContext,
  ): Promise<{ survey: string; methods: MethodSection[] }[]> {
    const found: { survey: string; methods: MethodSection[] }[] = [];
    for (const surveyId of new Set(chosen ?? plan.usage.keys())) {
      const scope = await surveys.surveyScope(surveyId);
      const shown = plan.usage.get(surveyId) ?? { columns: [], weights: new Set<string>() };
      if (scope === null && chosen === undefined) continue;
      const computed = await catchProblem(async () =>
        scope === null
          ? await surveys.missingProblem(surveyId)
          : await this.methods.readMethods(scope, parts, shown),
      );
      found.push(isProblem(computed) ? emptyMethod(computed.problem) : computed);
    }
    return found.length === 0 ? [emptyMethod('This report shows no survey.')] : found;
  }
}

const emptyMethod = (reason: string): { survey: string; methods: MethodSection[] } => ({
  survey: '',
  methods: [{ heading: 'Method', facts: [], paragraphs: [reason], table: null }],
});
