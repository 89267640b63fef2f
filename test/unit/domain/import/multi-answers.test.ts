import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MultiAnswers, MultiAnswerScan } from '../../../../src/domain/import/column-scan.ts';

function counted(cells: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return counts;
}

/** Scans a short column at once, and a long one cell by cell after the first. */
function scanned(cells: readonly string[]): MultiAnswers | null {
  const found = new MultiAnswerScan(counted(cells)).detect();
  const start = cells.findIndex((cell) => /[;,|\n]/.test(cell)) + 1;
  const long = new MultiAnswerScan(counted(cells.slice(0, start)));
  for (const cell of cells.slice(start)) long.add(cell);
  expect(long.detect()?.answers).toEqual(found?.answers);
  return found;
}

test.each([
  ['commas', ['Red, Green', 'Red', 'Green, Blue', 'Blue', 'Red, Blue', 'Green']],
  [
    'semicolons, including a trailing one',
    ['Red;Green;', 'Red;', 'Green;Blue;', 'Blue;', 'Red;Blue;', 'Green;'],
  ],
  ['bars', ['Red|Green', 'Red', 'Green|Blue', 'Blue', 'Red|Blue', 'Green']],
  ['line ends', ['Red\nGreen', 'Red', 'Green\nBlue', 'Blue', 'Red\nBlue', 'Green']],
])('splits cells at %s where the parts recur', (_name, cells) => {
  const found = scanned(cells);
  expect(found?.answers).toEqual(['Blue', 'Green', 'Red']);
  expect(found?.split(cells[0]!)).toEqual(['Red', 'Green']);
});

test('splits numeric codes if some cell has three', () => {
  expect(scanned(['1,3', '1', '2,3', '3', '1,2,3', '2'])?.answers).toEqual(['1', '2', '3']);
});

test.each([
  ['one answer that contains a comma', ['Yes, often', 'No', 'Yes, often', 'No', 'Yes, often', 'No']],
  [
    'answers with the same beginning',
    ['Yes, often', 'Yes, rarely', 'No', 'Yes, often', 'Yes, rarely', 'No', 'Yes, often'],
  ],
  [
    'answers with the same ending',
    ['hot, please', 'cold, please', 'none', 'hot, please', 'cold, please', 'none'],
  ],
  ['an answer that begins with another', ['Yes', 'Yes, daily', 'No', 'Yes', 'Yes, daily', 'No', 'Yes']],
  [
    'two facts in every cell',
    ['Yes, daily', 'No, weekly', 'Yes, weekly', 'No, daily', 'Yes, daily', 'No, weekly'],
  ],
  ['places', ['Austin, Texas', 'Dallas, Texas', 'Boulder, Colorado', 'Denver, Colorado', 'Texas', 'Texas']],
  ['names', ['Smith, John', 'Miller, Ann', 'Smith, Ann', 'Jones, Bob', 'Brown, Eve', 'Green, Joe']],
  ['remarks', ['Good, I think', 'Bad, and slow', 'Good, but slow', 'Well, I do not know', 'Good', 'Bad']],
  ['numbers with a decimal comma', ['10,5', '11,5', '10', '10,7', '11', '11,7', '10,5']],
  ['amounts', ['1,500', '2,300', '1,200', '1,500', '2,300', '1,200', '900', '900']],
  ['a part repeated within a cell', ['Red, Red', 'Red, Green', 'Red', 'Green', 'Red, Green', 'Green']],
  ['single answers', ['Red', 'Green', 'Blue', 'Red', 'Green', 'Blue']],
])('does not split %s', (_name, cells) => {
  expect(scanned(cells)).toBeNull();
});

test('keeps an answer that contains a comma intact', () => {
  const cells = ['Tea, hot, Coffee', 'Tea, hot', 'Coffee, Water', 'Water', 'Tea, hot, Water', 'Coffee'];
  const found = scanned([...cells, ...cells]);
  expect(found?.answers).toEqual(['Coffee', 'Tea, hot', 'Water']);
  expect(found?.split('Tea, hot, Water')).toEqual(['Tea, hot', 'Water']);
});

test('reads [] as no options ticked', () => {
  const cells = ['Red;Green', '[]', 'Red', '[]', 'Green;Blue', 'Blue', 'Green', '[]', 'Red;Blue'];
  expect(scanned(cells)?.answers).toEqual(['Blue', 'Green', 'Red']);
});

test('reads the few texts typed beside the options as answers', () => {
  const cells = ['Red, Green', 'Red', 'Green', 'Red, Green', 'Green, Teal', 'Red', 'Green', 'Red, Green'];
  expect(scanned(cells)?.answers).toEqual(['Green', 'Red', 'Teal']);
});

test('returns every part of every cell for any choices', () => {
  const options = ['Red', 'Green, dark', 'Blue', 'Black'];
  const cell = fc.subarray(options, { minLength: 1 }).map((chosen) => chosen.join(', '));
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 60 }), (cells) => {
      const found = scanned(cells);
      for (const text of cells) if (found !== null) expect(found.split(text).join(', ')).toBe(text);
    }),
  );
});
