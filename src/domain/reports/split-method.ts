import type { MethodSection } from './deck.ts';
import { splitTable } from './split-table.ts';

/** Maximum number of lines on an appendix slide; a text with more than TEXT_WIDTH characters needs several lines. */
const MAX_LINES = 19;
const TEXT_WIDTH = 105;
/** Characters per line for the value of a fact, next to its name. */
const FACT_WIDTH = 85;
const HEADING_LINES = 2;

/** Distributes the sections of an appendix over slides: short sections share a slide, long ones continue with the same heading. */
export function splitMethodSections(methods: readonly MethodSection[]): MethodSection[][] {
  const slides: MethodSection[][] = [];
  let room = 0;
  for (const method of methods.flatMap(splitSection)) {
    const lines = countLines(method);
    if (lines > room || slides.length === 0) {
      slides.push([]);
      room = MAX_LINES;
    }
    slides.at(-1)!.push(method);
    room -= lines;
  }
  return slides;
}

const textLines = (text: string, width: number): number => Math.max(1, Math.ceil(text.length / width));
const factLines = ([, value]: [string, string]): number => textLines(value, FACT_WIDTH);

function countLines({ facts, paragraphs, table }: MethodSection): number {
  return (
    HEADING_LINES +
    facts.reduce((sum, fact) => sum + factLines(fact), 0) +
    paragraphs.reduce((sum, text) => sum + textLines(text, TEXT_WIDTH), 0) +
    (table === null ? 0 : table.rows.length + 1)
  );
}

/** Splits a section into parts that each fit on a slide. */
function splitSection(method: MethodSection): MethodSection[] {
  if (countLines(method) <= MAX_LINES) return [method];
  const { heading, facts, paragraphs, table } = method;
  const emptySection: MethodSection = { heading, facts: [], paragraphs: [], table: null };
  const room = MAX_LINES - HEADING_LINES;
  const found: MethodSection[] = [
    ...chunkByLines(facts, factLines, room).map((some) => ({ ...emptySection, facts: some })),
    ...chunkByLines(paragraphs, (text) => textLines(text, TEXT_WIDTH), room).map((some) => ({
      ...emptySection,
      paragraphs: some,
    })),
    ...(table === null
      ? []
      : splitTable(table, { rows: room - 1, columns: 8 }).map((some) => ({ ...emptySection, table: some }))),
  ];
  return found.map((piece, index) => (index === 0 ? piece : { ...piece, heading: `${heading} (continued)` }));
}

function chunkByLines<T>(list: readonly T[], linesOfOne: (one: T) => number, most: number): T[][] {
  const found: T[][] = [];
  let room = 0;
  for (const one of list) {
    const lines = linesOfOne(one);
    if (lines > room || found.length === 0) {
      found.push([]);
      room = most;
    }
    found.at(-1)!.push(one);
    room -= lines;
  }
  return found;
}
