import type { ReportScope } from '../../domain/access/scopes.ts';
import { createChartDrawing, figureTypeOf } from '../../domain/charts/registry.ts';
import { formatFigure } from '../../domain/charts/figures/figure-texts.ts';
import { chartDeckTable } from '../../domain/reports/deck-tables.ts';
import {
  type DeckChart,
  type DeckHeader,
  type DeckNumber,
  type DeckSlide,
  type DeckTable,
  isProblem,
  type MethodSection,
} from '../../domain/reports/deck.ts';
import { loadChartRenderer } from '../../exporters/chart-svg.ts';
import { renderMarkdownHtml } from '../../exporters/markdown-html.ts';
import { findChartProblem, reportStyle } from '../../exporters/slide-page.ts';
import { notFound } from '../../lib/errors.ts';
import type { Store } from '../../repositories/store.ts';
import type { Author } from '../dashboards/chart-source.ts';
import type { DeckBuilder } from './deck/deck-builder.ts';

/** Further slides are only in files. */
export const MAX_PREVIEW_SLIDES = 60;
/** Pixels of a chart on a slide of its own, and beside another one. */
const CHART_SIZE = { width: 760, height: 340 };
const HALF_SIZE = { width: 380, height: 320 };

interface PreviewChart {
  title: string | null;
  /** One of these is set. */
  svg: string | null;
  value: string | null;
  table: DeckTable | null;
  problem: string | null;
  alt: string;
  source: string[];
}

interface PreviewFigure {
  label: string;
  value: string | null;
  problem: string | null;
  change: string | null;
  source: string[];
}

/** A slide for the screen. What its type does not have is null or empty. */
interface PreviewSlide {
  slide_type: DeckSlide['type'];
  title: string | null;
  part: { number: number; total: number } | null;
  notes: string;
  subtitle: string | null;
  text_html: string | null;
  charts: PreviewChart[];
  figures: PreviewFigure[];
  table: DeckTable | null;
  image: { url: string; alt: string; caption: string | null } | null;
  problem: string | null;
  methods: MethodSection[];
}

interface ReportPreview {
  slides: PreviewSlide[];
  shown_slides: number;
}

type ChartSvg = Awaited<ReturnType<typeof loadChartRenderer>>;

/** Renders the slides of a report for the screen, as its files have them. */
export class ReportPreviewService {
  constructor(
    private readonly store: Store,
    private readonly decks: DeckBuilder,
  ) {}

  /** The first slides with current figures, as far as the caller can see them. */
  async render(by: Author, scope: ReportScope, signal: AbortSignal): Promise<ReportPreview> {
    const { reports } = this.store.read;
    const [report, stored] = await Promise.all([reports.find(scope), reports.listSlides(scope)]);
    if (report === null) throw notFound('report');
    const shown = stored.slice(0, MAX_PREVIEW_SLIDES);
    const { head, slides } = await this.decks.open(by, report, shown);
    const draw = await loadChartRenderer();
    const rendered: PreviewSlide[] = [];
    for await (const slide of slides) {
      signal.throwIfAborted();
      rendered.push(renderSlide(slide, { head, draw, name: `slide${rendered.length + 1}` }));
    }
    return { slides: rendered, shown_slides: shown.length };
  }
}

interface SlideRendering {
  head: DeckHeader;
  draw: ChartSvg;
  /** Makes the ids of drawings unique on the page. */
  name: string;
}

function renderSlide(slide: DeckSlide, rendering: SlideRendering): PreviewSlide {
  const { type, title, part, notes } = slide;
  const empty: PreviewSlide = {
    slide_type: type,
    title,
    part,
    notes,
    subtitle: null,
    text_html: null,
    charts: [],
    figures: [],
    table: null,
    image: null,
    problem: null,
    methods: [],
  };
  const textOf = (markdown: string | null) => (markdown === null ? null : renderMarkdownHtml(markdown));
  switch (slide.type) {
    case 'title':
    case 'section':
      return { ...empty, subtitle: slide.subtitle };
    case 'text':
      return { ...empty, text_html: textOf(slide.markdown) };
    case 'chart': {
      const size = slide.charts.length > 1 ? HALF_SIZE : CHART_SIZE;
      const charts = slide.charts.map((chart, index) =>
        renderChart(chart, size, { ...rendering, name: `${rendering.name}-${index + 1}` }),
      );
      // A single chart with the title of its slide does not repeat it.
      const isNamed = charts.length > 1 || charts[0]?.title !== title;
      const named = isNamed ? charts : charts.map((chart) => ({ ...chart, title: null }));
      return { ...empty, charts: named, text_html: textOf(slide.markdown) };
    }
    case 'table':
      return isProblem(slide.table)
        ? { ...empty, problem: slide.table.problem }
        : { ...empty, table: slide.table };
    case 'image': {
      const { picture, alt, caption } = slide;
      if (isProblem(picture)) return { ...empty, problem: picture.problem };
      const bytes = Buffer.from(picture.bytes).toString('base64');
      const url = `data:image/${picture.kind};base64,${bytes}`;
      return { ...empty, image: { url, alt: alt ?? '', caption } };
    }
    case 'key-figures':
      return { ...empty, figures: slide.figures.map(renderFigure), text_html: textOf(slide.markdown) };
    case 'method':
      return { ...empty, subtitle: slide.survey || null, methods: slide.parts };
  }
}

function renderChart(
  { title, figures, options, alt, source }: DeckChart,
  size: typeof CHART_SIZE,
  { head, draw, name }: SlideRendering,
): PreviewChart {
  const empty: PreviewChart = { title, svg: null, value: null, table: null, problem: null, alt, source };
  if (isProblem(figures)) return { ...empty, problem: figures.problem };
  const problem = findChartProblem(figures);
  if (problem !== null) return { ...empty, ...problem };
  if (figureTypeOf(figures).view === 'number') {
    const value = figures.series[0]?.values[0] ?? null;
    const { function: measure } = figures.aggregation;
    return { ...empty, value: value === null ? '–' : formatFigure(value, measure, options.decimals) };
  }
  const drawing = createChartDrawing({ figures, options, theme: reportStyle(head.style), ...size });
  return drawing === null
    ? { ...empty, table: chartDeckTable(figures, { decimals: options.decimals }) }
    : { ...empty, svg: draw(drawing, name) };
}

function renderFigure({ label, value, change, source }: DeckNumber): PreviewFigure {
  const shown = typeof value === 'string' ? { value, problem: null } : { value: null, ...value };
  return { label, ...shown, change: change?.text ?? null, source };
}
