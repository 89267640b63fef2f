import {
  type DeckChart,
  type MethodSection,
  type DeckImage,
  type DeckProblem,
  type DeckSlide,
  type DeckTable,
  isProblem,
} from '../../../domain/reports/deck.ts';
import { splitChart } from '../../../domain/reports/split-chart.ts';
import { splitMethodSections } from '../../../domain/reports/split-method.ts';
import { splitTable } from '../../../domain/reports/split-table.ts';
import { SIDE_TEXT_SIZE, SLIDE_TEXT_SIZE, splitMarkdown } from '../../../domain/reports/split-markdown.ts';
import { chartDeckTable } from '../../../domain/reports/chart-deck-table.ts';
import type { PlannedSlide } from './deck-plan.ts';
import { deckChart, deckNumber, labelOf, type MadeFigure } from './made-figures.ts';

/** A slide but for its place among the others that its content is spread over. `said`: for the notes, beside the author's. */
type Piece = DeckSlide extends infer Slide
  ? Slide extends DeckSlide
    ? Omit<Slide, 'part' | 'notes'> & { said?: string[] }
    : never
  : never;

type Of<Type extends PlannedSlide['type']> = Extract<PlannedSlide, { type: Type }>;

/** The slides that one becomes, with the author's notes on the first of them. */
export function inParts(pieces: readonly Piece[], spoken: string | undefined): DeckSlide[] {
  return pieces.map(({ said = [], ...piece }, place) => {
    const author = place === 0 && spoken !== undefined ? [spoken.trim()] : [];
    const notes = [...author, ...said].filter((text) => text !== '').join('\n\n');
    const part = pieces.length === 1 ? null : { number: place + 1, of: pieces.length };
    return { ...piece, part, notes };
  });
}

export function textPieces({ title, content: { text } }: Of<'text'>): Piece[] {
  const parts = splitMarkdown(text);
  return (parts.length === 0 ? [''] : parts).map((markdown) => ({ type: 'text', title, markdown }));
}

/** Charts that have room stand together; one that is spread stands alone, and a long table is a table. */
export function chartPieces({ title, content }: Of<'chart'>, made: readonly MadeFigure[]): Piece[] {
  const [first] = made;
  const alone = made.length === 1;
  const head = title ?? (alone && first ? labelOf(first) : null);
  const charts = made.map((one) => {
    const own = alone && (title === null || one.planned.title === null) ? null : labelOf(one);
    return deckChart(one, alone && own === head ? null : own, head);
  });
  const spread = charts.map(spreadChart);
  const groups: Piece[] = spread.every((parts) => parts.length === 1)
    ? [
        chartPiece(
          head,
          spread.flat().flatMap((part) => ('rows' in part ? [] : [part])),
          charts,
        ),
      ]
    : spread.flatMap((parts, place) => parts.map((part) => spreadPiece(part, charts[place]!, head)));
  return withText(groups, content.text, head);
}

function spreadChart(chart: DeckChart): (DeckChart | DeckTable)[] {
  const { figures, source, options } = chart;
  if (isProblem(figures)) return [chart];
  if (figures.chart_type === 'table') {
    const tables = splitTable(chartDeckTable(figures, { decimals: options.decimals, source }));
    return tables.length === 1 ? [chart] : tables;
  }
  return splitChart(figures).map((part) => ({ ...chart, ...part }));
}

const chartPiece = (title: string | null, charts: DeckChart[], said: readonly DeckChart[]): Piece => ({
  type: 'chart',
  title,
  charts,
  markdown: null,
  said: said.map(({ title: name, source }) => [...(name === null ? [] : [name]), ...source].join('\n')),
});

function spreadPiece(part: DeckChart | DeckTable, chart: DeckChart, head: string | null): Piece {
  const piece = chartPiece(head, [], [chart]);
  if (!('rows' in part)) return { ...piece, type: 'chart', charts: [part], markdown: null };
  const title = [head, chart.title].filter((text) => text !== null).join(': ') || null;
  return { type: 'table', title, table: part, said: piece.said ?? [] };
}

/** Text beside figures; what has no room there follows on slides of its own. */
function withText(pieces: Piece[], text: string | undefined, title: string | null): Piece[] {
  const [beside, ...rest] = text === undefined ? [] : splitMarkdown(text, SLIDE_TEXT_SIZE, SIDE_TEXT_SIZE);
  if (beside === undefined) return pieces;
  const [first, ...others] = pieces;
  const takes = first !== undefined && (first.type === 'chart' || first.type === 'key-figures');
  const following = takes ? rest : splitMarkdown(text!);
  return [
    ...(takes ? [{ ...first, markdown: beside }, ...others] : pieces),
    ...following.map((markdown): Piece => ({ type: 'text', title, markdown })),
  ];
}

export function figurePieces({ title, content }: Of<'key-figures'>, made: readonly MadeFigure[]): Piece[] {
  const figures = made.map(deckNumber);
  const said = figures.map(({ label, source }) => [label, ...source].join('\n'));
  return withText([{ type: 'key-figures', title, figures, markdown: null, said }], content.text, title);
}

export function tablePieces({ title }: Of<'table'>, table: DeckTable | DeckProblem): Piece[] {
  if (isProblem(table)) return [{ type: 'table', title, table }];
  const said = [table.source.join('\n')];
  return splitTable(table).map((part) => ({ type: 'table', title, table: part, said }));
}

export function imagePieces({ title, content }: Of<'image'>, picture: DeckImage | null): Piece[] {
  const { alt = null, caption = null } = content;
  const shown = picture ?? { problem: 'The picture that stood here was deleted' };
  return [{ type: 'image', title, picture: shown, alt, caption }];
}

export function methodPieces(
  { title }: Of<'appendix'>,
  surveys: readonly { survey: string; methods: MethodSection[] }[],
): Piece[] {
  return surveys.flatMap(({ survey, methods }) =>
    splitMethodSections(methods).map((parts) => ({ type: 'method', title, survey, parts })),
  );
}
