import { formatNumber } from '../charts/figure-texts.ts';
import { formatDay } from './format-date.ts';
import type { MethodSection, DeckRow } from './deck.ts';

interface FieldWave {
  name: string;
  start: Date | null;
  /** The first moment after the wave. */
  end: Date | null;
  complete: number;
  target: number | null;
  quotas: { name: string; cells: { label: string; target: number | null; completed: number }[] }[];
}

/** Returns the fieldwork and quota tables, in chronological order. Days are those of the time zone; the end is the last day of the wave. */
export function fieldworkSections(waves: readonly FieldWave[], timeZone: string): MethodSection[] {
  if (waves.length === 0) return [];
  const day = (moment: Date | null) => (moment === null ? '–' : formatDay(moment, timeZone));
  const rows = waves.map(({ name, start, end, complete, target }) =>
    rowOf(name, [
      day(start),
      day(lastMillisecondBefore(end)),
      formatNumber(complete, 0),
      formatCount(target),
    ]),
  );
  const fieldwork = tableSection('Fieldwork', 'Wave', ['Start', 'End', 'Complete', 'Target'], rows);
  const quotas = waves.flatMap((wave) =>
    wave.quotas.map(({ name, cells }) => {
      const heading = waves.length > 1 ? `Quota: ${name}, ${wave.name}` : `Quota: ${name}`;
      const cellRows = cells.map(({ label, target, completed }) =>
        rowOf(label, [formatCount(target), formatNumber(completed, 0)]),
      );
      return tableSection(heading, 'Cell', ['Target', 'Complete'], cellRows);
    }),
  );
  return [fieldwork, ...quotas];
}

/** The last millisecond before an exclusive end. */
const lastMillisecondBefore = (end: Date | null): Date | null =>
  end === null ? null : new Date(end.getTime() - 1);

const formatCount = (number: number | null): string => (number === null ? '–' : formatNumber(number, 0));

const rowOf = (label: string, texts: readonly string[]): DeckRow => ({
  label,
  kind: 'category',
  cells: texts.map((text) => ({ text, letters: '' })),
});

const tableSection = (
  heading: string,
  corner: string,
  columns: readonly string[],
  rows: DeckRow[],
): MethodSection => ({
  heading,
  facts: [],
  paragraphs: [],
  table: { corner, columns: columns.map((label) => ({ label, letter: null })), rows, source: [] },
});
