import { describe, expect, test } from 'vitest';
import {
  fieldworkSections,
  formatDuration,
  questionsSection,
  type SampleFacts,
  sampleSection,
  weightingSection,
} from '../../../../src/domain/reports/methods.ts';
import type { MethodSection, DeckTable } from '../../../../src/domain/reports/deck.ts';
import { splitMethodSections } from '../../../../src/domain/reports/split-slides.ts';
import { page, pageWith, question, survey } from '../../../support/survey-builder.ts';

test.each([
  [0, '0 s'],
  [59.6, '1 min'],
  [390, '6 min 30 s'],
  [3_900, '1 h 5 min'],
  [7_200, '2 h'],
])('formats %d seconds as %s', (seconds, words) => {
  expect(formatDuration(seconds)).toBe(words);
});

describe('the sample description', () => {
  const facts: SampleFacts = {
    complete: 2_436,
    partial: 364,
    screenedOut: 120,
    test: 3,
    testExcluded: 4,
    qualityExcluded: 2,
    firstAt: new Date('2026-03-01T23:59:00Z'),
    lastAt: new Date('2026-04-02T00:01:00Z'),
    medianSeconds: 390,
    languages: new Map([
      ['de', 36],
      ['en', 2_390],
      ['x_y', 10],
    ]),
    anonymous: true,
    confidential: false,
    timeZone: 'UTC',
  };

  test('states the facts', () => {
    expect(sampleSection(facts)).toEqual({
      heading: 'Sample',
      facts: [
        ['Complete responses', '2,436'],
        ['Partial responses', '364'],
        ['Screened out', '120'],
        ['Test responses included', '3'],
        ['Test responses excluded', '4'],
        ['Excluded after quality review', '2'],
        ['Completion rate', '87% of respondents who started and were not screened out'],
        ['Answered', '1 March 2026 to 2 April 2026'],
        ['Median duration', '6 min 30 s'],
        ['Languages', 'English (2,390), German (36), x_y (10)'],
      ],
      paragraphs: [
        'Responses are anonymous: they are stored without addresses and without links to respondents.',
      ],
      table: null,
    });
  });

  test("uses the days of the survey's time zone", () => {
    const answered = (timeZone: string) =>
      new Map(sampleSection({ ...facts, timeZone }).facts).get('Answered');
    expect(answered('America/New_York')).toBe('1 March 2026 to 1 April 2026');
  });

  test('without responses states only that', () => {
    const nobody = {
      complete: 0,
      partial: 0,
      screenedOut: 0,
      test: 0,
      testExcluded: 0,
      qualityExcluded: 0,
      firstAt: null,
      lastAt: null,
    };
    const empty = sampleSection({
      ...facts,
      ...nobody,
      medianSeconds: null,
      languages: new Map(),
      anonymous: false,
    });
    expect(empty.facts).toEqual([
      ['Complete responses', '0'],
      ['Partial responses', '0'],
    ]);
    expect(empty.paragraphs).toEqual([]);
  });
});

const rowsOf = (table: DeckTable | null) =>
  table!.rows.map(({ label, cells }) => [label, ...cells.map(({ text }) => text)].join(' | '));

test('fieldwork is described by waves, and each quota by its cells', () => {
  expect(fieldworkSections([], 'UTC')).toEqual([]);
  const wave = { start: new Date('2026-03-01T00:00:00Z'), end: null, complete: 1_200, target: 1_500 };
  const cells = [{ label: 'Women', target: 750, completed: 700 }];
  const [waves, quota] = fieldworkSections(
    [
      { ...wave, name: 'Spring', quotas: [{ name: 'Gender', cells }] },
      { ...wave, name: 'Autumn', start: null, target: null, quotas: [] },
    ],
    'UTC',
  );
  expect(rowsOf(waves!.table)).toEqual([
    'Spring | 1 March 2026 | – | 1,200 | 1,500',
    'Autumn | – | – | 1,200 | –',
  ]);
  expect([quota!.heading, ...rowsOf(quota!.table)]).toEqual(['Quota: Gender, Spring', 'Women | 750 | 700']);
});

test.each([
  ['2026-04-01T00:00:00Z', 'UTC', '31 March 2026'],
  ['2026-04-01T12:00:00Z', 'UTC', '1 April 2026'],
  ['2026-03-31T22:00:00Z', 'Europe/Berlin', '31 March 2026'],
  ['2026-03-31T22:00:00.001Z', 'Europe/Berlin', '1 April 2026'],
  // The day has 25 hours.
  ['2026-10-25T23:00:00Z', 'Europe/Berlin', '25 October 2026'],
  ['2026-04-01T04:00:00Z', 'America/New_York', '31 March 2026'],
])('a wave that ends before %s in %s is shown until %s', (end, timeZone, shown) => {
  const wave = { name: 'Spring', start: null, end: new Date(end), complete: 0, target: null, quotas: [] };
  expect(rowsOf(fieldworkSections([wave], timeZone)[0]!.table)).toEqual([`Spring | – | ${shown} | 0 | –`]);
});

test('a weight without respondents, or made elsewhere, has no margins', () => {
  const weight = {
    label: 'Imported',
    responses: 0,
    effective: 0,
    range: null,
    margins: [],
    isRecalculated: false,
  };
  expect(weightingSection(weight)).toEqual({
    heading: 'Weighting: Imported',
    facts: [['Responses with a weight', '0']],
    paragraphs: [],
    table: null,
  });
});

test('questions are listed with their wording and base', () => {
  const definition = survey(
    page(question('single_choice', { text: 'Your\n gender?' }), question('text', { text: 'Why?' })),
    pageWith(
      { logic: { display: { left: { type: 'question', code: 'Q1' }, operator: 'equals', right: '2' } } },
      question('multiple_choice', {
        text: 'Which?',
        options: Array.from({ length: 20 }, (_, index) => `${index + 1}`),
      }),
      question('matrix', { text: 'How good?' }),
      question('scale', { text: 'How much?', settings: { max: 7, min_label: 'Never', max_label: 'Always' } }),
      question('nps', { text: 'Recommend?' }),
      question('number', { text: 'Unseen', retired: true }),
    ),
  );
  const condition = ' Asked if “Your gender?” is “Option 2”.';
  expect(questionsSection(definition, new Set([101, 102, 103, 104, 105, 106]))!.facts).toEqual([
    ['Q1', 'Your gender? (one of: Option 1, Option 2, Option 3)'],
    ['Q2', 'Why? (open text)'],
    ['Q3', expect.stringMatching(/^Which\? \(any of: Option 1, .*Option 15 and 5 more\) Asked if/)],
    ['Q4', `How good? (Row r1, Row r2; each one of: Option 1, Option 2, Option 3)${condition}`],
    ['Q5', `How much? (from 1 “Never” to 7 “Always”)${condition}`],
    ['Q6', `Recommend? (from 0 to 10)${condition}`],
  ]);
  expect(questionsSection(definition, new Set([107]))!.facts[0]![1]).toBe(
    `Unseen (a number)${condition} No longer asked.`,
  );
  expect(questionsSection(definition, new Set())).toBeNull();
});

describe('the sections of an appendix', () => {
  const part = (heading: string, facts: number): MethodSection => ({
    heading,
    facts: Array.from({ length: facts }, (_, index): [string, string] => [`${index}`, 'x']),
    paragraphs: [],
    table: null,
  });
  const headings = (methods: MethodSection[]) =>
    splitMethodSections(methods).map((slide) => slide.map(({ heading }) => heading));

  test('share a slide if they fit', () => {
    expect(headings([part('a', 5), part('b', 5), part('c', 5)])).toEqual([['a', 'b'], ['c']]);
    expect(headings([])).toEqual([]);
  });

  test('continue under their heading if they are long', () => {
    expect(headings([part('a', 40)])).toEqual([['a'], ['a (continued)'], ['a (continued)']]);
    const table = {
      corner: '',
      columns: [{ label: 'n', letter: null }],
      rows: Array.from({ length: 30 }, (_, index) => ({
        label: `${index}`,
        kind: 'category' as const,
        cells: [{ text: '', letters: '' }],
      })),
      source: [],
    };
    const slides = splitMethodSections([{ ...part('w', 4), table }]);
    expect(
      slides.map((slide) => slide.map((part) => [part.facts.length, part.table?.rows.length ?? 0])),
    ).toEqual([[[4, 0]], [[0, 16]], [[0, 14]]]);
  });
});
