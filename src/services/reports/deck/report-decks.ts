import {
  type DeckHeader,
  type MethodSection,
  type DeckImage,
  type DeckSlide,
  isProblem,
} from '../../../domain/reports/deck.ts';
import { reportSettingsOf } from '../../../domain/reports/report-settings.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { ReportSlideRow } from '../../../repositories/report-slides.ts';
import type { ReportRow } from '../../../repositories/reports.ts';
import type { Store } from '../../../repositories/store.ts';
import type { AccessService } from '../../access.ts';
import type { ChartError, ChartFigureService, ChartReply } from '../../dashboards/chart-figures.ts';
import type { Author } from '../../dashboards/chart-source.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import type { CrosstabService } from '../../figures/crosstabs.ts';
import type { PublishedWordings } from '../../surveys/published-wordings.ts';
import { DeckMethods, METHOD_COLUMNS } from './deck-methods.ts';
import { type AskedFigure, type DeckPlan, planDeck, type PlannedSlide } from './deck-plan.ts';
import {
  chartPieces,
  figurePieces,
  imagePieces,
  inParts,
  methodPieces,
  tablePieces,
  textPieces,
} from './deck-slides.ts';
import { DeckSurveys, orNull } from './deck-surveys.ts';
import { type DeckColumns, deckTable } from './deck-tables.ts';
import type { MadeFigure } from './made-figures.ts';
import { orProblem } from './problem-words.ts';

/** The figures of so many slides are made together, so that each survey is opened once for them. */
const BATCH_SLIDES = 20;

/** A report as its file is drawn from. */
export interface OpenDeck {
  head: DeckHeader;
  /** Made as they are read, some at a time; once. */
  slides: AsyncIterable<DeckSlide>;
  /** As they are stored; one may become several. */
  slideCount: number;
  /** How many of these have been handed out. */
  made: () => number;
}

interface Deck {
  plan: DeckPlan;
  surveys: DeckSurveys;
  pictureOf: (imageId: number) => Promise<DeckImage | null>;
}

/** Reports with their figures of this moment, as far as whoever makes the file may see them. */
export class ReportDecks {
  private readonly store: Store;
  private readonly access: AccessService;
  private readonly datasets: DatasetService;
  private readonly figures: ChartFigureService;
  private readonly crosstabs: CrosstabService;
  private readonly clock: Clock;
  private readonly methods: DeckMethods;
  private readonly wordings: PublishedWordings;

  constructor(made: {
    store: Store;
    access: AccessService;
    datasets: DatasetService;
    figures: ChartFigureService;
    crosstabs: CrosstabService;
    clock: Clock;
    wordings: PublishedWordings;
  }) {
    this.store = made.store;
    this.access = made.access;
    this.datasets = made.datasets;
    this.figures = made.figures;
    this.crosstabs = made.crosstabs;
    this.clock = made.clock;
    this.methods = new DeckMethods(made);
    this.wordings = made.wordings;
  }

  /** What cannot be shown says so in its place; the report never fails for it. */
  async open(by: Author, report: ReportRow, slides: readonly ReportSlideRow[]): Promise<OpenDeck> {
    const surveys = new DeckSurveys(this.store, this.access, by);
    const key = { organizationId: report.organization_id, reportId: report.report_id };
    const pictureOf = async (imageId: number): Promise<DeckImage | null> => {
      const found = await this.store.read.reportImages.picture(key, imageId);
      if (found === null) return null;
      const { picture: bytes, width, height, content_type: type } = found;
      return { kind: type === 'image/png' ? 'png' : 'jpeg', bytes, width, height };
    };
    const plan = await planDeck(slides, this.store.read, surveys);
    const head = await this.head(by, report, pictureOf);
    let made = 0;
    const handOut = this.slides({ plan, surveys, pictureOf }, () => made++);
    return { head, slides: handOut, slideCount: slides.length, made: () => made };
  }

  private async head(by: Author, report: ReportRow, pictureOf: Deck['pictureOf']): Promise<DeckHeader> {
    const { logo_image_id: logoId, ...look } = reportSettingsOf(report.report_settings);
    const [organization, author, logo] = await Promise.all([
      this.store.read.organizations.byId(report.organization_id),
      this.store.read.users.actingIn(by.organizationId, by.userId),
      logoId === null ? null : pictureOf(logoId),
    ]);
    return {
      title: report.report_name,
      description: report.report_description,
      organization: organization?.organization_name ?? '',
      author: author?.user_name ?? '',
      createdAt: this.clock.now(),
      style: { ...look, logo },
    };
  }

  private async *slides(deck: Deck, handedOut: () => void): AsyncGenerator<DeckSlide> {
    const { slides } = deck.plan;
    await this.load(deck.plan);
    for (let start = 0; start < slides.length; start += BATCH_SLIDES) {
      const batch = slides.slice(start, start + BATCH_SLIDES);
      const columns = new Map<number, Promise<DeckColumns>>();
      const columnsOf = (surveyId: number): Promise<DeckColumns> => {
        const known = columns.get(surveyId) ?? this.columns(surveyId);
        columns.set(surveyId, known);
        return known;
      };
      const made = await this.figuresOf(batch, deck.surveys, columnsOf);
      for (const slide of batch) {
        yield* await this.slide(slide, made.get(slide) ?? [], deck, columnsOf);
        handedOut();
      }
    }
  }

  /** All that is read of a survey by one walk over its responses, rather than some for each batch. */
  private async load({ slides, shown }: DeckPlan): Promise<void> {
    const told = slides.some(({ type }) => type === 'appendix') ? METHOD_COLUMNS : [];
    for (const [surveyId, { columns, weights }] of shown) {
      const codes = [...told, ...weights, ...columns.flatMap(({ column_code: code }) => code ?? [])];
      const ids = new Set(columns.flatMap(({ question_id: id }) => id ?? []));
      // What is wrong with a column is told in the place of its figure.
      await orNull(
        this.datasets.openFor(surveyId, (catalog) => {
          const named = codes.flatMap((code) => catalog.find(code)?.loadCodes ?? []);
          const asked = catalog.columns.filter(({ spec }) => ids.has(spec.questionId ?? 0));
          return { loadCodes: [...named, ...asked.flatMap(({ loadCodes }) => loadCodes)] };
        }),
      );
    }
  }

  /** As the published version names them; of a survey that was not published, as the draft does. */
  private async columns(surveyId: number): Promise<DeckColumns> {
    const wording = await this.wordings.of(surveyId);
    const open = await this.datasets.openFor(surveyId, () => ({ loadCodes: [] }));
    if (wording === null) return { catalog: open.catalog, labels: null };
    return { catalog: wording.catalogOf(open), labels: wording.labelsOf(open) };
  }

  private async slide(
    slide: PlannedSlide,
    made: readonly MadeFigure[],
    deck: Deck,
    columnsOf: (surveyId: number) => Promise<DeckColumns>,
  ): Promise<DeckSlide[]> {
    const { notes } = slide.content;
    switch (slide.type) {
      case 'title':
      case 'section': {
        const { type, title, content } = slide;
        return inParts([{ type, title, subtitle: content.subtitle ?? null }], notes);
      }
      case 'text':
        return inParts(textPieces(slide), notes);
      case 'chart':
        return inParts(chartPieces(slide, made), notes);
      case 'key-figures':
        return inParts(figurePieces(slide, made), notes);
      case 'table': {
        const table = await deckTable(slide.content, deck.surveys, this.crosstabs, columnsOf);
        return inParts(tablePieces(slide, table), notes);
      }
      case 'image':
        return inParts(imagePieces(slide, await deck.pictureOf(slide.content.image_id)), notes);
      case 'appendix':
        return inParts(methodPieces(slide, await this.appendix(slide.content, deck)), notes);
    }
  }

  /** Those of all charts together, by survey and by what may be told of it. */
  private async figuresOf(
    slides: readonly PlannedSlide[],
    surveys: DeckSurveys,
    columnsOf: (surveyId: number) => Promise<DeckColumns>,
  ): Promise<Map<PlannedSlide, MadeFigure[]>> {
    const asks = slides.flatMap(({ figures }) => figures.flatMap(({ ask }) => (isProblem(ask) ? [] : [ask])));
    const settings = await surveys.settings(asks.map(({ surveyId }) => surveyId));
    const replies = new Map<AskedFigure, ChartReply | ChartError>();
    for (const audience of ['member', 'client'] as const) {
      const theirs = asks.filter((ask) => ask.audience === audience);
      const requests = theirs.map(({ request }) => request);
      const found = await this.figures.batch(requests, { audience, settings, isPublishedWording: true });
      theirs.forEach((ask, place) => replies.set(ask, found[place]!));
    }
    const made = new Map<PlannedSlide, MadeFigure[]>();
    for (const slide of slides) {
      const figures: MadeFigure[] = [];
      for (const planned of slide.figures) {
        const { ask } = planned;
        const reply = isProblem(ask) ? null : replies.get(ask)!;
        const isThere = !isProblem(ask) && reply !== null && !('error' in reply);
        figures.push({
          planned,
          reply,
          catalog: isThere ? ((await orNull(columnsOf(ask.surveyId)))?.catalog ?? null) : null,
        });
      }
      made.set(slide, figures);
    }
    return made;
  }

  private async appendix(
    { survey_ids: chosen, parts }: Extract<PlannedSlide, { type: 'appendix' }>['content'],
    { plan, surveys }: Deck,
  ): Promise<{ survey: string; methods: MethodSection[] }[]> {
    const found: { survey: string; methods: MethodSection[] }[] = [];
    for (const surveyId of new Set(chosen ?? plan.shown.keys())) {
      const scope = await surveys.scope(surveyId);
      const shown = plan.shown.get(surveyId) ?? { columns: [], weights: new Set<string>() };
      if (scope === null && chosen === undefined) continue;
      const made = await orProblem(async () =>
        scope === null ? await surveys.missing(surveyId) : await this.methods.of(scope, parts, shown),
      );
      found.push(isProblem(made) ? nothingOf(made.problem) : made);
    }
    return found.length === 0 ? [nothingOf('This report shows no survey.')] : found;
  }
}

const nothingOf = (why: string): { survey: string; methods: MethodSection[] } => ({
  survey: '',
  methods: [{ heading: 'Method', facts: [], paragraphs: [why], table: null }],
});
