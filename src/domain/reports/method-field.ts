import { numberText } from '../charts/figure-text.ts';
import { dayText } from './date-words.ts';
import type { DeckMethod, DeckRow } from './deck.ts';

interface FieldWave {
  name: string;
  start: Date | null;
  /** The first moment after the wave. */
  end: Date | null;
  complete: number;
  target: number | null;
  quotas: { name: string; cells: { label: string; target: number | null; completed: number }[] }[];
}

/** In the order of time; days are those of the time zone, and the end is the last day inside the wave. */
export function fieldMethods(waves: readonly FieldWave[], timeZone: string): DeckMethod[] {
  if (waves.length === 0) return [];
  const day = (moment: Date | null) => (moment === null ? '–' : dayText(moment, timeZone));
  const rows = waves.map(({ name, start, end, complete, target }) =>
    rowOf(name, [day(start), day(lastMomentOf(end)), numberText(complete, 0), count(target)]),
  );
  const fieldwork = tableMethod('Fieldwork', 'Wave', ['Start', 'End', 'Complete', 'Target'], rows);
  const quotas = waves.flatMap((wave) =>
    wave.quotas.map(({ name, cells }) => {
      const heading = waves.length > 1 ? `Quota: ${name}, ${wave.name}` : `Quota: ${name}`;
      const cellRows = cells.map(({ label, target, completed }) =>
        rowOf(label, [count(target), numberText(completed, 0)]),
      );
      return tableMethod(heading, 'Cell', ['Target', 'Complete'], cellRows);
    }),
  );
  return [fieldwork, ...quotas];
}

/** The last millisecond before an exclusive end. */
const lastMomentOf = (end: Date | null): Date | null => (end === null ? null : new Date(end.getTime() - 1));

const count = (number: number | null): string => (number === null ? '–' : numberText(number, 0));

const rowOf = (label: string, texts: readonly string[]): DeckRow => ({
  label,
  kind: 'category',
  cells: texts.map((text) => ({ text, letters: '' })),
});

const tableMethod = (
  heading: string,
  corner: string,
  columns: readonly string[],
  rows: DeckRow[],
): DeckMethod => ({
  heading,
  facts: [],
  paragraphs: [],
  table: { corner, columns: columns.map((label) => ({ label, letter: null })), rows, source: [] },
});
