import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../../src/web/studio/client/data/api.ts';
import { findFilterProblem } from '../../../../src/web/studio/client/survey/filters/check-filter.ts';
import {
  fieldsAboutResponse,
  fieldsOfDerivedColumns,
  fieldsOfQuestions,
  findTarget,
} from '../../../../src/web/studio/client/survey/filters/filter-fields.ts';
import { filterInWords } from '../../../../src/web/studio/client/survey/filters/filter-words.ts';
import { anyOf, type ViewFilter } from '../../../../src/web/studio/client/survey/results-view.ts';

type Question = Schema<'Question'>;

const OPTIONS = ['Good', 'Bad'].map((label, index) => ({
  option_code: index + 1,
  option_value: String(index + 1),
  option_label: label,
}));

const question = (code: string, type: Question['question_type'], settings: object = {}, rest: object = {}) =>
  ({
    question_code: code,
    question_text: `Question ${code}`,
    question_type: type,
    question_settings: settings,
    options: [],
    retired: false,
    ...rest,
  }) as unknown as Question;

const QUESTIONS = [
  question('one', 'single_choice', {}, { options: OPTIONS }),
  question('many', 'multiple_choice', {}, { options: OPTIONS, retired: true }),
  question('age', 'number'),
  question('nps', 'nps'),
  question('rating', 'scale', { min: 1, max: 5, min_label: 'Bad', point_labels: { 5: 'Great' } }),
  question('share', 'slider', { min: 0, max: 100, step: 1 }),
  question('why', 'text'),
  question('born', 'date', { precision: 'month' }),
  question('day', 'date', { precision: 'date' }),
  question('rows', 'matrix', { rows: [{ row_code: 'r1', row_label: 'Price' }] }, { options: OPTIONS }),
  question('ranks', 'ranking', {}, { options: [{ ...OPTIONS[0], option_code: -1 }, OPTIONS[1]] }),
  question('points', 'constant_sum', {}, { options: OPTIONS }),
  question('photo', 'file_upload'),
  question('income', 'number', {
    no_answers: [
      { reason: 'dont_know', code: -97, label: null },
      { reason: 'refused', code: -98, label: 'I keep it to myself' },
    ],
  }),
];

const pages = (...lists: Question[][]) =>
  lists.map((questions, index) => ({
    page_title: index === 1 ? 'Prices' : null,
    questions,
  })) as unknown as Schema<'SurveyWithPages'>['pages'];

const FIELDS = [
  ...fieldsOfQuestions(pages(QUESTIONS)),
  ...fieldsAboutResponse({ languages: ['en', 'de'], links: [], waves: [{ wave_id: 7, wave_name: 'May' }] }),
];

const filter = (
  code: string,
  operator: ViewFilter['operator'],
  values: string[] = [],
  part: string | null = null,
) => ({
  code,
  part,
  operator,
  values,
});
const inWords = (each: ViewFilter) => {
  const { name, condition } = filterInWords(each, FIELDS);
  return `${name}: ${condition}`;
};
const sideOf = (code: string, part: string | null = null) => findTarget(FIELDS, { code, part })!.target.side;

describe('the names in filters', () => {
  it('are short, and have no placeholders', () => {
    const [store, rated, table] = fieldsOfQuestions(
      pages([
        question('Q1', 'single_choice', { report_label: 'Store' }, { options: OPTIONS }),
        question(
          'Q2',
          'single_choice',
          {},
          {
            question_text: 'How is {{Q1|the store}}? (One answer)',
            options: [{ option_code: 1, option_value: '1', option_label: 'Better than {{Q1}}' }],
          },
        ),
        question(
          'Q3',
          'matrix',
          { rows: [{ row_code: 'r1', row_label: 'Staff of {{Q1}}' }] },
          { options: OPTIONS },
        ),
      ]),
    );
    expect([store!.name, rated!.name]).toEqual(['Store', 'How is the store?']);
    expect(rated!.targets[0].side.values).toEqual([{ value: '1', label: 'Better than [Store]' }]);
    expect(table!.targets[0].label).toBe('Staff of [Store]');
  });
});

describe('what filters can ask', () => {
  it('is whether there is an answer, for every type of question', () => {
    for (const { question_code: code } of QUESTIONS)
      expect(sideOf(code).operators).toEqual(expect.arrayContaining(['answered', 'not_answered']));
  });

  it('is a choice from the points of a short scale, and typed numbers for a long one', () => {
    expect(sideOf('rating').values.map(({ label }) => label)).toEqual([
      '1 – Bad',
      '2',
      '3',
      '4',
      '5 – Great',
    ]);
    expect(sideOf('nps').values).toHaveLength(11);
    expect(sideOf('share').values).toEqual([]);
    expect(sideOf('share').operators[0]).toBe('gte');
  });

  it('is the rows of a table, and the columns of ranks', () => {
    expect(sideOf('rows', 'r1').values.map(({ label }) => label)).toEqual(['Good', 'Bad']);
    expect(sideOf('ranks_m1').values.map(({ value }) => value)).toEqual(['1', '2']);
    expect(sideOf('points', '2').input).toBe('number');
  });

  it('groups questions by page and does not offer those that are no longer asked', () => {
    const fields = fieldsOfQuestions(pages(QUESTIONS.slice(0, 2), QUESTIONS.slice(2, 3)));
    expect(fields.map(({ group, isOffered }) => [group, isOffered])).toEqual([
      ['Page 1', true],
      ['Page 1', false],
      ['Prices', true],
    ]);
  });

  it('is the language only if the survey has several', () => {
    const codesOf = (languages: string[]) =>
      fieldsAboutResponse({ languages, links: [], waves: [] }).map(({ code }) => code);
    expect(codesOf(['en'])).not.toContain('language');
    expect(codesOf(['en', 'de'])).toContain('language');
  });
});

describe('derived columns', () => {
  const column = (code: string, type: string, rest: object = {}) =>
    ({
      column_code: code,
      label: code,
      type,
      source: 'derived',
      values: [],
      retired: false,
      precision: null,
      ...rest,
    }) as unknown as Schema<'Column'>;

  it('can be filtered by the type of their values', () => {
    const fields = fieldsOfDerivedColumns([
      column('group', 'categorical', { values: [{ value: '1', label: 'Young' }] }),
      column('score', 'number'),
      column('theme', 'text'),
      column('month', 'date', { precision: 'month' }),
      column('flag', 'binary'),
      column('photo', 'file'),
      column('age', 'number', { source: 'question' }),
    ]);
    expect(fields.map(({ code, targets: [{ side }] }) => [code, side.operators[0], side.input])).toEqual([
      ['group', 'in', 'text'],
      ['score', 'gte', 'number'],
      ['theme', 'contains', 'text'],
      ['month', 'gte', 'month'],
      ['flag', 'in', 'text'],
    ]);
  });
});

describe('a filter in words', () => {
  it.each([
    [anyOf('one', ['1', '2']), 'Question one: Good, Bad'],
    [filter('one', 'not_in', ['1']), 'Question one: none of Good'],
    [filter('many', 'includes_all', ['1', '2']), 'Question many: all of Good, Bad'],
    [filter('age', 'gte', ['18']), 'Question age: at least 18'],
    [filter('age', 'between', ['18', '34']), 'Question age: 18 to 34'],
    [anyOf('nps', ['9', '10']), 'Question nps: Promoters (9–10)'],
    [anyOf('nps', ['6', '7', '8']), 'Question nps: Passives (7–8), 6'],
    [filter('why', 'contains', ['price']), 'Question why: contains “price”'],
    [filter('why', 'not_answered'), 'Question why: not answered'],
    [filter('born', 'gte', ['1990-05']), 'Question born: from May 1990'],
    [filter('day', 'between', ['2026-11-01', '2026-11-30']), 'Question day: 1 Nov 2026 to 30 Nov 2026'],
    [filter('rows', 'in', ['2'], 'r1'), 'Question rows · Price: Bad'],
    [filter('rows', 'answered'), 'Question rows: answered'],
    [anyOf('ranks_m1', ['1']), 'Question ranks · Good: 1'],
    [anyOf('language', ['de']), 'Language: German'],
    [filter('quality_flags', 'contains', ['speeder']), 'Quality flags: Too fast'],
    [anyOf('gone', ['1']), 'gone: 1'],
    [filter('rows', 'in', ['2'], 'r9'), 'rows · r9: 2'],
  ])('%j is “%s”', (each, words) => {
    expect(inWords(each)).toBe(words);
  });
});

describe('the values of a filter', () => {
  const problemOf = ({ code, part, operator, values }: ViewFilter) =>
    findFilterProblem(operator, values, sideOf(code, part));

  it.each([
    [filter('one', 'in'), 0, 'Choose at least one value.'],
    [filter('age', 'gte'), 0, 'Enter a number, such as 18 or 2.5.'],
    [filter('age', 'gte', ['old']), 0, 'Enter a number, such as 18 or 2.5.'],
    [filter('age', 'between', ['18', '']), 1, 'Enter a number, such as 18 or 2.5.'],
    [filter('age', 'between', ['18', '9']), 1, 'The highest value must not be below the lowest.'],
    [filter('nps', 'lte', ['']), 0, 'Enter a number, such as 18 or 2.5.'],
    [filter('why', 'contains', ['']), 0, 'Enter a text.'],
    [filter('day', 'between', ['2026-11-30', '2026-11-01']), 1, 'The end must not be before the start.'],
    [filter('born', 'equals', ['2026-13']), 0, 'Enter a month, such as 2026-11.'],
    [filter('quality_flags', 'contains', ['']), 0, 'Choose at least one value.'],
  ])('%j have the problem at %i: %s', (each, index, message) => {
    expect(problemOf(each)).toEqual({ index, message });
  });

  it.each([
    [filter('one', 'in', ['1'])],
    [filter('one', 'answered')],
    [filter('age', 'gte', ['-2.5'])],
    [filter('age', 'between', ['9', '18'])],
    [filter('nps', 'between', ['7', '8'])],
    [filter('why', 'contains', ['price'])],
    [filter('day', 'between', ['2026-11-01', '2026-11-01'])],
  ])('%j have no problem', (each) => {
    expect(problemOf(each)).toBeNull();
  });
});

describe('a filter by reasons instead of an answer', () => {
  it('lists the reasons that the question offers', () => {
    const side = findTarget(FIELDS, { code: 'income', part: null })?.target.side;
    expect(side?.operators.at(-1)).toBe('gave_reason');
    expect(side?.reasons).toEqual([
      { value: 'dont_know', label: 'Don’t know' },
      { value: 'refused', label: 'I keep it to myself' },
    ]);
    expect(findTarget(FIELDS, { code: 'age', part: null })?.target.side.operators).not.toContain(
      'gave_reason',
    );
  });

  it('needs a reason, and names it', () => {
    const side = findTarget(FIELDS, { code: 'income', part: null })!.target.side;
    expect(findFilterProblem('gave_reason', [], side)).not.toBeNull();
    expect(findFilterProblem('gave_reason', ['refused'], side)).toBeNull();
    expect(filterInWords(filter('income', 'gave_reason', ['refused', 'dont_know']), FIELDS).condition).toBe(
      'I keep it to myself, Don’t know',
    );
  });
});
