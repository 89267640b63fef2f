import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runWithin } from '../../../support/run-within.ts';

// The page has another TypeScript configuration, so its types are not imported.
const load = <T>(file: string): Promise<T> =>
  import(path.resolve('src/web/studio/client/translations', file)) as Promise<T>;
const { readTranslations, toCsv } = await load<{
  readTranslations: (text: string, language: string) => Map<string, { text: string; isDone: boolean }>;
  toCsv: (texts: readonly object[], languages: object) => string;
}>('translation-files.ts');
const { withTexts } = await load<{
  withTexts: (translations: object, language: string, changes: readonly unknown[]) => object;
}>('translation-table.ts');

const TEXTS = [
  { key: 'survey.survey_name', place: 'Name', source: 'Coffee', target: 'Kaffee', state: 'translated' },
  {
    key: 'question-1.question_text',
    place: 'Text',
    source: 'A "good"\none, or not?',
    target: 'Gut,\n"oder"; nicht?',
    state: 'outdated',
  },
  { key: 'question-1.options.1', place: 'Option', source: 'Yes', target: '', state: 'missing' },
  ...['=1+1', '-5', "'=x", "''", ' @x', '\tTab'].map((target, index) => ({
    key: `question-1.options.${index + 2}`,
    place: 'Option',
    source: target,
    target,
    state: 'translated',
  })),
];
const LANGUAGES = { source: 'en', target: 'de' };

describe('translation files', () => {
  it('are read as they were written', () => {
    const read = readTranslations(toCsv(TEXTS, LANGUAGES), 'de');
    expect([...read]).toEqual(
      TEXTS.map(({ key, target, state }) => [key, { text: target, isDone: state === 'translated' }]),
    );
  });

  it.each(['"', ''])('with hundreds of thousands of rows are read in linear time, quoted by %j', (quote) => {
    const rows = Array.from(
      { length: 300_000 },
      (_, row) => `${quote}question-${row}${quote},${quote}Text${quote}`,
    );
    const read = runWithin(60, () => readTranslations(['key,de', ...rows].join('\n'), 'de'));
    expect(read.size).toBe(300_000);
  });

  it('have texts of millions of characters', () => {
    const text = 'a""'.repeat(1_000_000);
    const read = runWithin(60, () => readTranslations(`key,de\nx,"${text}"`, 'de'));
    expect(read.get('x')?.text).toBe(text.replaceAll('""', '"'));
  });

  it('contain no text that a spreadsheet runs as a formula', () => {
    const cells = toCsv(TEXTS, LANGUAGES).split(/"(?:,|\r\n)"/);
    expect(cells.filter((cell) => /^\s*[=+@-]/.test(cell))).toEqual([]);
    expect(cells).toContain("'=1+1");
  });

  it('can have semicolons, other columns and line ends', () => {
    const read = readTranslations('place;DE;key\nName;Kaffee;survey.survey_name\n\n', 'de');
    expect([...read]).toEqual([['survey.survey_name', { text: 'Kaffee', isDone: false }]]);
  });

  it.each([
    ['a,b\n1,2', 'must name the columns key and de'],
    ['key,de\nx,"open', 'The quote in row 2 has no end'],
  ])('are refused with a reason: %j', (text, message) => {
    expect(() => readTranslations(text, 'de')).toThrow(message);
  });
});

describe('translations', () => {
  it('get texts at their place, and keep the other texts and languages', () => {
    const before = { de: { question_text: 'Alt', options: { 1: 'Ja' } }, fr: { question_text: 'Vieux' } };
    const after = withTexts(before, 'de', [
      [['question_text'], 'Neu'],
      [['options', '2'], 'Nein'],
    ]);
    expect(after).toEqual({
      de: { question_text: 'Neu', options: { 1: 'Ja', 2: 'Nein' } },
      fr: { question_text: 'Vieux' },
    });
    expect(before.de.question_text).toBe('Alt');
  });

  it('lose a text that is emptied', () => {
    const after = withTexts({ de: { question_text: 'Alt', options: { 1: 'Ja' } } }, 'de', [
      [['options', '1'], ' '],
    ]);
    expect(after).toEqual({ de: { question_text: 'Alt', options: {} } });
  });
});
