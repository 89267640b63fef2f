import type { FigureConfig } from '../../../domain/charts/chart-config.ts';
import type { ChartFigures, VariableFigure } from '../../../domain/charts/chart-data.ts';
import { type ChartConfig, figureTypeOf } from '../../../domain/charts/registry.ts';
import type { VariableConfig } from '../../../domain/charts/types/variable.ts';
import type { ColumnCatalog } from '../../../domain/dataset/column-catalog.ts';
import { chartDeckTable } from '../../../domain/reports/deck-tables.ts';
import {
  type DeckChart,
  type DeckImage,
  type DeckNumber,
  type DeckProblem,
  type DeckSlide,
  type DeckTable,
  isProblem,
  type MethodSection,
} from '../../../domain/reports/deck.ts';
import {
  chartSourceLines,
  formatSingleFigure,
  formatVariableFigure,
  variableSourceLines,
} from '../../../domain/reports/source-lines.ts';
import {
  SIDE_TEXT_SIZE,
  SLIDE_TEXT_SIZE,
  splitChart,
  splitMarkdown,
  splitMethodSections,
  splitTable,
} from '../../../domain/reports/split-slides.ts';
import type { ChartOutcome } from '../../dashboards/chart-figures.ts';
import { type PlannedFigure, type PlannedSlide, SURVEY_DELETED, toProblem } from './deck-plan.ts';

/** A planned figure with its result and the columns that label it. */
export interface ComputedFigure {
  planned: PlannedFigure;
  outcome: ChartOutcome | null;
  /** null if nothing was computed or the survey was deleted meanwhile. */
  catalog: ColumnCatalog | null;
}

type ShownFigure<Figure> = { figures: Figure; config: ChartConfig; catalog: ColumnCatalog };

function requireFigures({
  planned: { request },
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
function buildDeckChart(
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
function figureLabel(computed: ComputedFigure): string | null {
  const { title } = computed.planned;
  if (title !== null) return title;
  const found = requireFigures(computed);
  return isProblem(found) ? null : found.figures.dimension.label;
}

function buildDeckNumber(computed: ComputedFigure): DeckNumber {
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

/** A slide before its part number is known. `noteTexts`: speaker notes in addition to the author's. */
type UnnumberedSlide = DeckSlide extends infer Slide
  ? Slide extends DeckSlide
    ? Omit<Slide, 'part' | 'notes'> & { noteTexts?: string[] }
    : never
  : never;

type PlannedSlideOf<Type extends PlannedSlide['type']> = Extract<PlannedSlide, { type: Type }>;

/** Numbers the slides that one stored slide becomes; the first one gets the author's notes. */
export function numberParts(
  slides: readonly UnnumberedSlide[],
  authorNotes: string | undefined,
): DeckSlide[] {
  return slides.map(({ noteTexts = [], ...slide }, index) => {
    const author = index === 0 && authorNotes !== undefined ? [authorNotes.trim()] : [];
    const notes = [...author, ...noteTexts].filter((text) => text !== '').join('\n\n');
    const part = slides.length === 1 ? null : { number: index + 1, total: slides.length };
    return { ...slide, part, notes };
  });
}

export function buildTextSlides({ title, content: { text } }: PlannedSlideOf<'text'>): UnnumberedSlide[] {
  const parts = splitMarkdown(text);
  return (parts.length === 0 ? [''] : parts).map((markdown) => ({ type: 'text', title, markdown }));
}

/** Charts that fit share a slide. A chart that must be split gets separate slides, and a long table becomes table slides. */
export function buildChartSlides(
  { title, content }: PlannedSlideOf<'chart'>,
  computed: readonly ComputedFigure[],
): UnnumberedSlide[] {
  const [first] = computed;
  const alone = computed.length === 1;
  const head = title ?? (alone && first ? figureLabel(first) : null);
  const charts = computed.map((one) => {
    const own = alone && (title === null || one.planned.title === null) ? null : figureLabel(one);
    return buildDeckChart(one, alone && own === head ? null : own, head);
  });
  const splitCharts = charts.map((chart) => ({ chart, parts: splitDeckChart(chart) }));
  const groups: UnnumberedSlide[] = splitCharts.every(({ parts }) => parts.length === 1)
    ? [
        buildChartSlide(
          head,
          splitCharts.flatMap(({ parts }) => parts.flatMap((part) => ('rows' in part ? [] : [part]))),
          charts,
        ),
      ]
    : splitCharts.flatMap(({ chart, parts }) => parts.map((part) => buildSplitSlide(part, chart, head)));
  return addSideText(groups, content.text, head);
}

function splitDeckChart(chart: DeckChart): (DeckChart | DeckTable)[] {
  const { figures, source, options } = chart;
  if (isProblem(figures)) return [chart];
  if (figureTypeOf(figures).view === 'table') {
    const tables = splitTable(chartDeckTable(figures, { decimals: options.decimals, source }));
    return tables.length === 1 ? [chart] : tables;
  }
  return splitChart(figures).map((part) => ({ ...chart, ...part }));
}

const buildChartSlide = (
  title: string | null,
  charts: DeckChart[],
  notes: readonly DeckChart[],
): UnnumberedSlide => ({
  type: 'chart',
  title,
  charts,
  markdown: null,
  noteTexts: notes.map(({ title: name, source }) => [...(name === null ? [] : [name]), ...source].join('\n')),
});

function buildSplitSlide(
  part: DeckChart | DeckTable,
  chart: DeckChart,
  head: string | null,
): UnnumberedSlide {
  const batch = buildChartSlide(head, [], [chart]);
  if (!('rows' in part)) return { ...batch, type: 'chart', charts: [part], markdown: null };
  const title = [head, chart.title].filter((text) => text !== null).join(': ') || null;
  return { type: 'table', title, table: part, noteTexts: batch.noteTexts ?? [] };
}

/** Text next to figures; the remainder follows on text slides. */
function addSideText(
  slides: UnnumberedSlide[],
  text: string | undefined,
  title: string | null,
): UnnumberedSlide[] {
  if (text === undefined) return slides;
  const [sideText, ...otherTexts] = splitMarkdown(text, SLIDE_TEXT_SIZE, SIDE_TEXT_SIZE);
  if (sideText === undefined) return slides;
  const [first, ...otherSlides] = slides;
  const hasSpaceForText = first !== undefined && (first.type === 'chart' || first.type === 'key-figures');
  const remainingTexts = hasSpaceForText ? otherTexts : splitMarkdown(text);
  return [
    ...(hasSpaceForText ? [{ ...first, markdown: sideText }, ...otherSlides] : slides),
    ...remainingTexts.map((markdown): UnnumberedSlide => ({ type: 'text', title, markdown })),
  ];
}

export function buildKeyFigureSlides(
  { title, content }: PlannedSlideOf<'key-figures'>,
  computed: readonly ComputedFigure[],
): UnnumberedSlide[] {
  const figures = computed.map(buildDeckNumber);
  const notes = figures.map(({ label, source }) => [label, ...source].join('\n'));
  return addSideText(
    [{ type: 'key-figures', title, figures, markdown: null, noteTexts: notes }],
    content.text,
    title,
  );
}

export function buildTableSlides(
  { title }: PlannedSlideOf<'table'>,
  table: DeckTable | DeckProblem,
): UnnumberedSlide[] {
  if (isProblem(table)) return [{ type: 'table', title, table }];
  const notes = [table.source.join('\n')];
  return splitTable(table).map((part) => ({ type: 'table', title, table: part, noteTexts: notes }));
}

export function buildImageSlides(
  { title, content }: PlannedSlideOf<'image'>,
  picture: DeckImage | null,
): UnnumberedSlide[] {
  const { alt = null, caption = null } = content;
  const shown = picture ?? { problem: 'This picture was deleted' };
  return [{ type: 'image', title, picture: shown, alt, caption }];
}

export function buildMethodSlides(
  { title }: PlannedSlideOf<'appendix'>,
  surveys: readonly { survey: string; methods: MethodSection[] }[],
): UnnumberedSlide[] {
  return surveys.flatMap(({ survey, methods }) =>
    splitMethodSections(methods).map((parts) => ({ type: 'method', title, survey, parts })),
  );
}
