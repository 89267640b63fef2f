import { describe, expect, it } from 'vitest';
import type { ChatFigure, ColumnShares, CrosstabFigure } from '../../../../src/domain/chat/chat-figure.ts';
import { parseIntent } from '../../../../src/domain/chat/parse-intent.ts';
import { describeFigure } from '../../../../src/domain/chat/reply-texts.ts';
import { shopVocabulary } from './shop-survey.ts';

const vocabulary = shopVocabulary();
/** Returns the sentence that answers this question. */
const describeTo = (message: string, figure: ChatFigure) =>
  describeFigure(figure, parseIntent(message, vocabulary));

const column = (shares: Partial<ColumnShares>, ...counts: [string, number][]): ColumnShares => {
  const base = counts.reduce((sum, [, count]) => sum + count, 0);
  return {
    column_code: 'Q2',
    label: 'What is your gender?',
    type: 'categorical',
    base,
    skipped: 0,
    not_shown: 0,
    not_applicable: 0,
    no_answer: { dont_know: 0, refused: 0, not_applicable: 0 },
    mean: null,
    categories: counts.map(([label, count], index) => {
      return { value: String(index + 1), label, count, percent: (100 * count) / base };
    }),
    distinct: counts.length,
    ...shares,
  };
};
const distribution = (...columns: ColumnShares[]): ChatFigure => ({
  function: 'get_distribution',
  arguments: { question_code: 'Q2' },
  base: 90,
  counted: null,
  result: { question_code: 'Q6', question_text: 'How do you rate the following?', columns },
});

describe('counts', () => {
  const counts = { total: 12, complete: 10, partial: 1, screened_out: 1, test: 3, quality_confirmed: 2 };
  const figure = (result: typeof counts): ChatFigure => {
    return { function: 'get_response_counts', arguments: {}, base: result.total, counted: null, result };
  };
  it.each([
    [
      counts,
      'There are 12 responses: 10 complete, 1 partial and 1 screened out. 2 of them have a confirmed quality flag and are excluded from figures. ' +
        'There are also 3 test responses.',
    ],
    [
      { total: 1, complete: 1, partial: 0, screened_out: 0, test: 0, quality_confirmed: 0 },
      'There is 1 response: 1 complete, 0 partial and 0 screened out.',
    ],
    [
      { total: 0, complete: 0, partial: 0, screened_out: 0, test: 0, quality_confirmed: 0 },
      'There are no responses yet.',
    ],
  ])('%o', (result, expected) => expect(describeTo('how many?', figure(result))).toBe(expected));
});

describe('a distribution', () => {
  const gender = column({ skipped: 4 }, ['Men', 30], ['Women', 60], ['Other', 0]);

  it('states which responses it counts and excludes', () => {
    const counted = {
      responses: 90,
      test_responses_included: 0,
      test_responses_excluded: 12,
      quality_included: 0,
      quality_excluded: 1,
    };
    const lastLine = (given: typeof counted) =>
      describeTo('Q2', { ...distribution(gender), counted: given })
        .split('\n')
        .at(-1);
    expect(lastLine(counted)).toBe(
      'Not counted: 12 test responses and 1 response with a confirmed quality flag.',
    );
    expect(
      lastLine({ ...counted, test_responses_included: 1, test_responses_excluded: 0, quality_excluded: 0 }),
    ).toBe('Counted: 1 test response.');
  });

  it('lists answers in order, with the base and the number without an answer', () => {
    expect(describeTo('Q2', distribution(gender))).toBe(
      [
        '90 people answered Q2 “What is your gender?”:',
        '- Men: 33.3 % (30)',
        '- Women: 66.7 % (60)',
        '- Other: 0 % (0)',
        '4 skipped the question.',
      ].join('\n'),
    );
  });

  it('begins with the requested answers', () => {
    expect(describeTo('How many women are there?', distribution(gender))).toContain(
      'Of the 90 who answered Q2 “What is your gender?”, 66.7 % answered “Women” (60).\nAll answers:',
    );
  });

  it.each([
    [
      'highest',
      'The most frequent answer to Q2 “What is your gender?” is “Women”: 66.7 % (60 of 90)',
      '- Women: 66.7 % (60)\n- Men',
    ],
    [
      'lowest',
      'The least frequent answer to Q2 “What is your gender?” is “Other”: 0 % (0 of 90)',
      '- Other: 0 % (0)\n- Men',
    ],
  ])('begins with the %s on request', (which, first, sorted) => {
    const text = describeTo(`Which gender is ${which}?`, distribution(gender));
    expect(text).toContain(first);
    expect(text).toContain(sorted);
  });

  it('states the number outside the base, and the lack of answers', () => {
    const refused = { value: '9', label: 'Refused', count: 5, percent: null };
    const withRefused = { ...gender, categories: [...gender.categories, refused] };
    expect(describeTo('Q2', distribution(withRefused))).toContain('Not included: “Refused” (5).');
    expect(describeTo('Q2', distribution(column({})))).toBe(
      'There are no answers to Q2 “What is your gender?” yet.',
    );
  });

  it('of a matrix describes each row, highest first on request', () => {
    const part = (code: string, label: string, mean: number) =>
      column(
        { column_code: code, label: `How do you rate the following? – ${label}`, mean },
        ['Bad', 10],
        ['Good', 20],
      );
    const matrix = distribution(part('Q6_r1', 'Price', 1.5), part('Q6_r3', 'Delivery', 2.25));
    expect(describeTo('What is rated highest in Q6?', matrix)).toBe(
      [
        'In Q6 “How do you rate the following?”, “Delivery” is highest:',
        '- Delivery: mean 2.25, most frequent answer “Good” (66.7 %), n = 30',
        '- Price: mean 1.5, most frequent answer “Good” (66.7 %), n = 30',
      ].join('\n'),
    );
    expect(describeTo('Q6', matrix)).toMatch(/^Q6 .*, by part:\n- Price/);
  });

  it('of a ranking treats the lowest mean rank as best', () => {
    const rank = (label: string, mean: number) =>
      column({ label: `How do you rate the following? – ${label}`, type: 'rank', mean }, ['1', 3], ['2', 1]);
    const text = describeTo('What is best in Q6?', distribution(rank('Red', 2.4), rank('Blue', 1.2)));
    expect(text).toContain('“Blue” is highest');
    expect(text).toContain('mean rank 1.2');
  });
});

describe('statistics', () => {
  const statistics = { mean: 7.456, median: 8, sd: 2.1, min: 0, max: 10, p25: 6, p75: 9, nps: -12.5 };
  const figure: ChatFigure = {
    function: 'get_statistics',
    arguments: { question_code: 'Q4' },
    base: 200,
    counted: null,
    result: {
      question_code: 'Q4',
      question_text: 'Recommend?',
      columns: [{ column_code: 'Q4', label: 'Recommend?', base: 200, statistics }],
    },
  };
  it.each([
    [
      'mean of Q4',
      'The mean of Q4 “Recommend?” is 7.46. Median 8, standard deviation 2.1, NPS -12.5, from 0 to 10. 200 people answered.',
    ],
    [
      'median of Q4',
      'The median of Q4 “Recommend?” is 8. Mean 7.46, standard deviation 2.1, NPS -12.5, from 0 to 10. 200 people answered.',
    ],
    [
      'NPS',
      'The Net Promoter Score of Q4 “Recommend?” is -12.5 (the percentage of 9 and 10 minus the percentage of 0 to 6). Mean 7.46, median 8, standard deviation 2.1, from 0 to 10. 200 people answered.',
    ],
  ])('requested as %s', (message, expected) => expect(describeTo(message, figure)).toBe(expected));
});

describe('a table', () => {
  const table: CrosstabFigure = {
    row: 'Satisfaction',
    column: 'Gender',
    base: 150,
    columns: [
      { letter: 'A', label: 'Men', base: 70 },
      { letter: 'B', label: 'Women', base: 60 },
      { letter: 'C', label: 'Other', base: 20 },
    ],
    rows: [
      {
        label: 'Satisfied',
        total_percent: 50,
        cells: [
          { count: 21, percent: 30, above: [] },
          { count: 45, percent: 75, above: ['A'] },
          { count: 9, percent: 45, above: ['a'] },
        ],
      },
    ],
    means: { total: 3.2, cells: [3, 3.456, null].map((mean) => ({ count: 1, mean, sd: null, above: [] })) },
    chi_square: {
      test: 'pearson',
      statistic: 12.345,
      df: 2,
      df2: null,
      p_value: 0.0004,
      cramers_v: 0.29,
      uncorrected: null,
      fisher_p_value: null,
      smallest_expected: 10,
      expected_below_5: 0,
    },
    notes: ['Columns with a base under 30 respondents are not compared.'],
  };
  const figure = (result: CrosstabFigure): ChatFigure => {
    return {
      function: 'get_crosstab',
      arguments: { row: 'Q3', column: 'Q2' },
      base: result.base,
      counted: null,
      result,
    };
  };

  it('names groups and bases, and states in words which differences are significant', () => {
    expect(describeTo('Q3 by Q2', figure(table))).toBe(
      [
        '“Satisfaction” by “Gender”, 150 responses: Men (n = 70), Women (n = 60) and Other (n = 20).',
        '- Satisfied: 50 % of all; Men 30 %, Women 75 % (above Men), Other 45 % (somewhat above Men)',
        '- Mean: 3.2 of all; Men 3, Women 3.46, Other –',
        'Overall, the groups differ significantly (chi-square 12.35, df 2, p < 0.001, Cramér’s V 0.29). "Above" marks differences that are significant at 95 % (1 here), "somewhat above" only at 90 %.',
        'Columns with a base under 30 respondents are not compared.',
      ].join('\n'),
    );
  });

  it('attributes differences that may be chance to chance', () => {
    const chi_square = { ...table.chi_square!, statistic: 1.2, p_value: 0.549, cramers_v: 0.04 };
    const rows = table.rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell) => ({ ...cell, above: [] })),
    }));
    const text = describeTo('Q3 by Q2', figure({ ...table, rows, chi_square }));
    expect(text).toContain('the groups do not differ significantly (chi-square 1.2, df 2, p = 0.549');
    expect(text).toContain('No difference between two groups is significant.');
    expect(text).not.toContain('(above');
  });

  it('uses the exact test where chi-square is only approximate', () => {
    const chi_square = { ...table.chi_square!, p_value: 0.03, fisher_p_value: 0.061, expected_below_5: 1 };
    const text = describeTo('Q3 by Q2', figure({ ...table, chi_square }));
    expect(text).toContain(
      'the groups do not differ significantly (Fisher’s exact test, p = 0.061, Cramér’s V 0.29)',
    );
  });

  it('of weighted data names the test as an F test', () => {
    const weighted = { test: 'rao_scott_f' as const, statistic: 14.544, df: 1.89, df2: 376.06 };
    const text = describeTo(
      'Q3 by Q2',
      figure({ ...table, chi_square: { ...table.chi_square!, ...weighted } }),
    );
    expect(text).toContain('differ significantly (Rao-Scott F 14.54, df 1.89 and 376.06, p < 0.001');
  });

  it('without respondents states so', () => {
    expect(describeTo('Q3 by Q2', figure({ ...table, base: 0 }))).toMatch(/^No respondents answered both/);
  });
});

describe('open answers', () => {
  const texts = (given: object): ChatFigure => ({
    function: 'get_verbatims',
    arguments: {},
    base: 40,
    counted: null,
    result: {
      question_code: 'Q7',
      question_text: 'Improve?',
      answered: 40,
      matching: 40,
      contains: null,
      verbatims: [{ response_id: 17, text: 'More\n  light' }],
      ...given,
    },
  });
  it.each([
    [{}, '40 people answered Q7 “Improve?”. Examples:\n- “More light” (response 17)'],
    [
      { contains: 'light', matching: 1 },
      '1 of the 40 answers to Q7 “Improve?” contain “light”. These are:\n- “More light” (response 17)',
    ],
    [
      { contains: 'dark', matching: 0, verbatims: [] },
      '40 people answered Q7 “Improve?”; no answer contains “dark”.',
    ],
    [{ answered: 0, matching: 0, verbatims: [] }, 'There are no answers to Q7 “Improve?” yet.'],
  ])('%o', (given, expected) => expect(describeTo('Q7', texts(given))).toBe(expected));

  it('are described with how many were read, and how', () => {
    const figure: ChatFigure = {
      function: 'read_texts',
      arguments: { question_code: 'Q7' },
      base: 400,
      counted: null,
      result: {
        question_code: 'Q7',
        question_text: 'Improve?',
        answered: 400,
        read: 300,
        sentiments: { negative: 30, neutral: 120, positive: 150 },
        themes: [{ theme: 'price', count: 40, response_ids: [1] }],
        method: 'By a lexicon.',
      },
    };
    expect(describeTo('themes of Q7', figure)).toBe(
      'Of 300 of 400 answers to Q7 that were analyzed, 50 % (150) are positive, 40 % (120) neutral and 10 % (30) negative. Frequent themes: price (40). By a lexicon.',
    );
  });
});
