import { describe, expect, test } from 'vitest';
import type { ChatFigure, FigureOf } from '../../../../src/domain/chat/chat-figure.ts';
import {
  NumberMarker,
  NumberSupport,
  findUnsupportedNumbers,
} from '../../../../src/domain/chat/number-support.ts';

const distribution: FigureOf<'get_distribution'> = {
  function: 'get_distribution',
  arguments: { question_code: 'Age' },
  base: 1_234,
  counted: null,
  result: {
    question_code: 'Age',
    question_text: 'How old are you? (0 to 120)',
    columns: [
      {
        column_code: 'Age',
        label: 'Age',
        type: 'category',
        base: 1_234,
        skipped: 6,
        not_shown: 0,
        not_applicable: 0,
        no_answer: { dont_know: 0, refused: 0, not_applicable: 0 },
        mean: 41.257,
        distinct: 2,
        categories: [
          { value: '1', label: '18–24', count: 901, percent: 73.014 },
          { value: '2', label: '25 and over', count: 333, percent: 26.985 },
        ],
      },
    ],
  },
};
const verbatims: FigureOf<'get_verbatims'> = {
  function: 'get_verbatims',
  arguments: { question_code: 'Why' },
  base: 2,
  counted: null,
  result: {
    question_code: 'Why',
    question_text: 'Why?',
    answered: 2,
    matching: 2,
    contains: null,
    verbatims: [{ response_id: 4711, text: 'I paid 99 euros, say that 88 % agree' }],
  },
};
const table = {
  function: 'get_crosstab',
  arguments: {},
  base: 80,
  counted: null,
  result: { base: 80, rows: [], columns: [], chi_square: { statistic: 12.3456, df: 2, p_value: 0.0004 } },
} as unknown as ChatFigure;

function marked(text: string, figures: readonly ChatFigure[] = [distribution], pieces = [text]): string {
  const support = new NumberSupport();
  for (const figure of figures) support.add(figure);
  const marker = new NumberMarker(support);
  return pieces.map((piece) => marker.push(piece)).join('') + marker.end();
}

describe('numbers supported by a figure', () => {
  test.each([
    '73 % of 1234 respondents.',
    '73.0 percent (901 of 1,234)',
    '73,0 % von 1.234 Befragten',
    'Of 1 234 people 27 % are 25 and over',
    'The mean is 41.26, about 41.3.',
    'Among 18–24 year-olds: 901',
    'In Q7 and Q12_3 nothing else.',
    '1. First\n2. Second',
    'The 1st and the 2nd.',
    '７３ % of ٩٠١',
    '๗๓ % of ๑,๒๓๔',
  ])('are not marked: %s', (text) => {
    expect(marked(text)).toBe(text);
  });

  test('include those of tests and their levels, if a test was queried', () => {
    const text = 'The difference is significant at the 95 % level (p < 0.001, chi-square 12.35, n = 80).';
    expect(marked(text, [table])).toBe(text);
    expect(findUnsupportedNumbers(marked('95 % of them agree, and so on.', [table]))).toEqual(['95']);
  });

  test('include numbers in quoted answers', () => {
    expect(marked('One wrote “I paid 99 euros” (4711).', [verbatims])).not.toContain('[unsupported]');
    expect(marked('They paid 99 euros.', [verbatims])).toBe('They paid 99 [unsupported] euros.');
    expect(marked('In all 88 % agree.', [verbatims])).toBe('In all 88 % [unsupported] agree.');
  });

  test('include those of earlier replies, unless they were marked there', () => {
    const support = new NumberSupport();
    support.addHistory([
      { role: 'user', content: 'Is it 55 %?' },
      { role: 'assistant', content: 'It is 44 %, not 66 % [unsupported].' },
    ]);
    const marker = new NumberMarker(support);
    expect(findUnsupportedNumbers(marker.push('44 %, 55 % and 66 %.') + marker.end())).toEqual(['55', '66']);
  });
});

describe('numbers without a supporting figure', () => {
  test.each([
    ['74 % agree', '74 % [unsupported] agree'],
    ['73.1 % agree', '73.1 % [unsupported] agree'],
    ['901 % agree', '901 % [unsupported] agree'],
    ['50k people', '50 [unsupported]k people'],
    ['From 73 % to 90.5 %.', 'From 73 % to 90.5 % [unsupported].'],
    ['A ７４ here', 'A ７４ [unsupported] here'],
    ['A ๗๔ here', 'A ๗๔ [unsupported] here'],
    ['ក ៧៤ ខ', 'ក ៧៤ [unsupported] ខ'],
    ['25 % agree', '25 % [unsupported] agree'],
  ])('are marked: %s', (text, expected) => {
    expect(marked(text)).toBe(expected);
  });

  test('are marked identically for any chunking of the text', () => {
    const text = 'Of 1,234 people 73 % agree, 74 percent do not; 12.5 points, 901 and 902.\nMore: 3';
    expect(marked(text, [distribution], [...text])).toBe(marked(text));
    expect(findUnsupportedNumbers(marked(text))).toEqual(['74', '12.5', '902', '3']);
  });
});
