import { describe, expect, it } from 'vitest';
import {
  type Condition,
  type EditorPage,
  type EditorQuestion,
  newOption,
} from '../../../../src/web/studio/client/editor/editor-content.ts';
import {
  fromConditionRows,
  rowForQuestion,
  toConditionRows,
} from '../../../../src/web/studio/client/editor/logic/condition-rows.ts';
import {
  conditionInWords,
  skipInWords,
  type SkipRule,
} from '../../../../src/web/studio/client/editor/logic/logic-words.ts';
import {
  findUnreachablePages,
  followSurvey,
} from '../../../../src/web/studio/client/editor/logic/survey-flow.ts';
import { partsOf, textInWords, writePipe } from '../../../../src/web/studio/client/editor/piping/pipes.ts';

const drinks: EditorQuestion = {
  question_id: 1,
  page_id: 1,
  question_type: 'multiple_choice',
  question_text: 'Which drinks?',
  question_code: 'Q1',
  question_required: false,
  question_settings: {},
  options: [newOption(1, 'Coffee'), newOption(2, 'Tea')],
};
const age: EditorQuestion = {
  ...drinks,
  question_id: 2,
  question_type: 'number',
  question_text: 'How old are you?',
  question_code: 'age',
  options: [],
};
const ratings: EditorQuestion = {
  ...drinks,
  question_id: 3,
  question_type: 'matrix',
  question_text: 'How do you rate these?',
  question_code: 'Q3',
  question_settings: { matrix_type: 'single', rows: [{ row_code: 'price', row_label: 'Price' }] },
  options: [newOption(1, 'Poor'), newOption(2, 'Good')],
};
const budget: EditorQuestion = {
  ...drinks,
  question_id: 4,
  question_type: 'constant_sum',
  question_text: 'Share 100 points',
  question_code: 'Q4',
};
const questions = [drinks, age, ratings, budget];

describe('conditions as rows', () => {
  const either: Condition = {
    connector: 'or',
    conditions: [
      { left: { type: 'question', code: 'Q1' }, operator: 'includes_any', right: ['1', '2'] },
      {
        connector: 'and',
        conditions: [
          { left: { type: 'question', code: 'age' }, operator: 'between', right: [18, 65] },
          { left: { type: 'question', code: 'Q1' }, operator: 'answered' },
        ],
      },
    ],
  };

  it.each<[string, Condition]>([
    ['groups', either],
    ['one number', { left: { type: 'question', code: 'age' }, operator: 'lt', right: 30 }],
    [
      'a row of a matrix',
      { left: { type: 'question', code: 'Q3', row_code: 'price' }, operator: 'in', right: ['2'] },
    ],
    [
      'an item of a sum',
      { left: { type: 'question', code: 'Q4', row_code: '1' }, operator: 'gt', right: 50 },
    ],
    ['a value of the link', { left: { type: 'hidden', code: 'source' }, operator: 'equals', right: 'panel' }],
    ['an attribute', { left: { type: 'attribute', code: 'city' }, operator: 'in', right: ['Bern', 'Basel'] }],
  ])('are written back as they were read: %s', (_, condition) => {
    expect(fromConditionRows(toConditionRows(condition)!, questions)).toEqual(condition);
  });

  it('leave out rows without a value, and ranges with one limit', () => {
    const row = { type: 'question', code: 'age', part: null } as const;
    const rowsWith = (operator: 'gte' | 'between', values: string[]) =>
      ({ connector: 'and', groups: [{ connector: 'and', rows: [{ ...row, operator, values }] }] }) as const;
    expect(fromConditionRows(rowsWith('gte', [' ']), questions)).toBeNull();
    expect(fromConditionRows(rowsWith('between', ['18', '']), questions)).toBeNull();
    expect(fromConditionRows(rowsWith('between', ['18', '65']), questions)).toMatchObject({
      right: [18, 65],
    });
  });

  it('do not show columns of the data and deeper groups', () => {
    const column = { left: { type: 'column', code: 'wave_id' }, operator: 'answered' } as Condition;
    expect(toConditionRows(column)).toBeNull();
    expect(toConditionRows({ connector: 'and', conditions: [either, either] })).toBeNull();
  });

  it('begin with the first row of a matrix, because a matrix has no single answer', () => {
    expect(rowForQuestion(ratings)).toMatchObject({ part: 'price', operator: 'in' });
    expect(rowForQuestion(drinks)).toMatchObject({ part: null, operator: 'includes_any' });
  });

  it('are repeated in words', () => {
    expect(conditionInWords(either, questions)).toBe(
      '“Which drinks?” includes any of “Coffee”, “Tea” or (“How old are you?” is between 18 and 65 and “Which drinks?” is answered)',
    );
    const row: Condition = {
      left: { type: 'question', code: 'Q3', row_code: 'price' },
      operator: 'in',
      right: ['2'],
    };
    expect(conditionInWords(row, questions)).toBe('“How do you rate these?” (“Price”) is “Good”');
    const given: Condition = { left: { type: 'hidden', code: 'source' }, operator: 'answered' };
    expect(conditionInWords(given, questions)).toBe('the value “source” of the link is given');
  });
});

const pageWith = (id: number, fields: Partial<EditorPage> = {}): EditorPage => ({
  page_id: id,
  page_title: null,
  page_description: null,
  page_logic: null,
  block_id: null,
  shown_to_arm: null,
  page_arrangement: null,
  questionIds: [],
  ...fields,
});
const EVERYONE: Condition = { connector: 'and', conditions: [] };
const isYoung: Condition = { left: { type: 'question', code: 'age' }, operator: 'lt', right: 16 };
const jumpTo = (id: number, when: Condition): SkipRule => ({ when, action: 'jump_to_page', target_id: id });

describe('the flow of a survey', () => {
  const first = (skip: SkipRule[]) => pageWith(1, { questionIds: [2], page_logic: { skip } });

  it('reaches every page when rules have conditions', () => {
    const pages = [first([jumpTo(3, isYoung)]), pageWith(2), pageWith(3)];
    expect(findUnreachablePages(pages, [age])).toEqual([]);
    expect(followSurvey(pages, [age]).steps.map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [0, 1],
      [1, 2],
      [2, 'end'],
    ]);
  });

  it('does not reach pages that everyone skips, or that come after the end for everyone', () => {
    expect(findUnreachablePages([first([jumpTo(3, EVERYONE)]), pageWith(2), pageWith(3)], [age])).toEqual([
      2,
    ]);
    const end: SkipRule = { when: EVERYONE, action: 'end_survey' };
    expect(findUnreachablePages([first([end]), pageWith(2), pageWith(3)], [age])).toEqual([2, 3]);
  });

  it('passes a page whose questions may all be hidden without its rules', () => {
    const display = { left: { type: 'hidden', code: 'a' }, operator: 'answered' } as const;
    const optional = { ...age, question_settings: { logic: { display } } };
    expect(
      findUnreachablePages([first([jumpTo(3, EVERYONE)]), pageWith(2), pageWith(3)], [optional]),
    ).toEqual([]);
  });

  it('does not reach a page whose condition needs an answer that nobody can give', () => {
    const pages = [
      first([jumpTo(3, EVERYONE)]),
      pageWith(2, { questionIds: [1] }),
      pageWith(3),
      pageWith(4, {
        page_logic: { display: { left: { type: 'question', code: 'Q1' }, operator: 'answered' } },
      }),
    ];
    expect(findUnreachablePages(pages, [age, drinks])).toEqual([2, 4]);
  });

  it('describes rules in words', () => {
    const pages = [pageWith(1), pageWith(2, { page_title: 'Coffee' })];
    expect(skipInWords(jumpTo(2, isYoung), { questions, pages })).toBe(
      'If “How old are you?” is less than 16, go to “Coffee”.',
    );
    expect(skipInWords({ when: EVERYONE, action: 'screen_out' }, { questions, pages })).toBe(
      'For everyone: screen out.',
    );
  });
});

describe('placeholders', () => {
  it('are found between texts, and written as they were read', () => {
    const text = 'Why {{Q1|it}}, {{respondent.name}}? {{hidden.source}} {{ not one }}';
    const parts = partsOf(text);
    expect(parts.map((part) => (part.kind === 'text' ? part.text : part.pipe.kind))).toEqual([
      'Why ',
      'question',
      ', ',
      'respondent',
      '? ',
      'hidden',
      ' {{ not one }}',
    ]);
    expect(parts.map((part) => (part.kind === 'text' ? part.text : writePipe(part.pipe))).join('')).toBe(
      text,
    );
  });

  it('have the texts of their questions as names', () => {
    expect(textInWords('Why {{Q1}}?', questions)).toBe('Why [Which drinks?]?');
    expect(textInWords('Why {{Q8}}?', questions)).toBe('Why [Q8]?');
  });
});
