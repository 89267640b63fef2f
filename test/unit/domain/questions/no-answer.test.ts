import { describe, expect, it } from 'vitest';
import {
  noAnswerCodeProblems,
  unlimitedNoAnswerCodes,
} from '../../../../src/domain/questions/no-answer-codes.ts';
import { compareOperands } from '../../../../src/domain/questions/condition.ts';
import { parseQuestionSettings } from '../../../../src/domain/questions/parse-question-settings.ts';
import {
  cellCodecFor,
  codecFor,
  QUESTION_TYPES,
  type QuestionType,
} from '../../../../src/domain/questions/registry.ts';
import { question } from '../../../support/survey-builder.ts';

const REASONS = [
  { reason: 'dont_know', code: -97, label: null },
  { reason: 'refused', code: -98, label: 'Prefer not to say' },
] as const;
const asked = (type: QuestionType, settings: object = {}) =>
  question(type, { settings: { no_answers: [...REASONS], ...settings } });
const TYPES = QUESTION_TYPES.filter((type) => codecFor({ type }).takesAnswers);
const refused = { no_answer: 'refused' };

describe('a reason instead of an answer', () => {
  it.each(TYPES)(
    'is an answer of a %s that has empty cells and satisfies no comparison but its own',
    (type) => {
      const asking = asked(type);
      expect(codecFor(asking).read(asking, refused)).toEqual({ ok: true, answer: refused });
      const cells = cellCodecFor(asking);
      const columns = cells.columns(asking);
      expect(cells.toCells(asking, refused)).toEqual(columns.map(() => null));
      expect(columns.every(({ noAnswers }) => noAnswers?.length === 2)).toBe(true);
      const operand = codecFor(asking).operand(asking, refused, undefined);
      expect(compareOperands(operand, 'gave_reason', ['dont_know', 'refused'])).toBe(true);
      expect(compareOperands(operand, 'gave_reason', ['dont_know'])).toBe(false);
      expect(compareOperands(operand, 'answered', undefined)).toBe(false);
      expect(compareOperands(operand, 'not_answered', undefined)).toBe(true);
      expect(compareOperands(operand, 'not_in', ['1'])).toBe(false);
    },
  );

  it.each(TYPES)('is replaced by an edited cell of a %s', (type) => {
    const asking = asked(type);
    const codec = cellCodecFor(asking);
    const [column] = codec.columns(asking);
    const cleared = codec.fromCells(asking, refused, new Map([[column!.columnCode, null]]));
    expect(cleared).toEqual({ ok: true, answer: null });
  });

  it('must be offered, and excludes an answer', () => {
    const asking = asked('number');
    const read = (input: unknown, from = asking) => codecFor(from).read(from, input);
    expect(read({ no_answer: 'not_applicable' })).toEqual({
      ok: false,
      problems: [
        {
          field: 'no_answer',
          message: '"not_applicable" is not a reason that Q1 offers; accepted: "dont_know", "refused"',
        },
      ],
    });
    expect(read({ no_answer: 'refused', value: 4 })).toMatchObject({ ok: false });
    expect(read(refused, question('number'))).toMatchObject({
      problems: [{ message: 'Q1 offers no reasons instead of an answer' }],
    });
    expect(read(4)).toEqual({ ok: true, answer: 4 });
  });

  it('has no text where the answer is inserted, and its code where the code is', () => {
    const asking = asked('number');
    const texts = { text: () => '', entry: () => '', has: () => false } as never;
    expect(codecFor(asking).pipedText(asking, refused, texts, 'en')).toBe('');
    expect(codecFor(asking).pipedCode(asking, refused)).toBe('-98');
  });
});

describe('the codes of reasons', () => {
  const withCode = (type: QuestionType, code: number, settings: object = {}, options?: string[]) => {
    const asking = question(type, {
      settings: { no_answers: [{ reason: 'refused', code, label: null }], ...settings },
      ...(options && { options }),
    });
    return [noAnswerCodeProblems(asking).length, unlimitedNoAnswerCodes(asking).length];
  };
  const conflict = [1, 0];
  const ambiguous = [0, 1];
  const free = [0, 0];

  it.each<[QuestionType, number, object, number[]]>([
    ['slider', 97, { min: 0, max: 100 }, conflict],
    ['slider', 101, { min: 0, max: 100 }, free],
    ['number', 97, { min: 0, max: 120 }, conflict],
    ['number', 97, { min: 16, max: 90 }, free],
    ['number', 97, {}, ambiguous],
    ['number', -97, { min: 0 }, free],
    ['number', 97, { max: 90 }, free],
    ['scale', 5, {}, conflict],
    ['scale', 97, {}, free],
    ['nps', 10, {}, conflict],
    ['single_choice', 2, {}, conflict],
    ['single_choice', 97, {}, free],
    ['multiple_choice', 1, {}, conflict],
    ['ranking', 3, {}, conflict],
    ['ranking', 4, {}, free],
    ['constant_sum', 97, {}, conflict],
    ['matrix', 3, {}, conflict],
    ['text', 1, {}, free],
    ['date', 97, {}, free],
    ['date', 97, { precision: 'time' }, conflict],
    ['date', 97, { precision: 'year', min: '1900', max: '2026' }, free],
    ['date', 97, { precision: 'year' }, ambiguous],
  ])('of a %s may not be answers: %d with %j', (type, code, settings, expected) => {
    expect(withCode(type, code, settings)).toEqual(expected);
  });

  it('are named in the problem', () => {
    expect(
      noAnswerCodeProblems(
        question('slider', { settings: { no_answers: [{ reason: 'refused', code: 97, label: null }] } }),
      ),
    ).toEqual([
      {
        field: 'no_answers[0].code',
        message:
          '97 can be an answer: answers are from 0 to 100; choose a code that no answer can be, such as -97',
      },
    ]);
  });

  it('are distinct, and so are the reasons', () => {
    const settings = (...no_answers: object[]) => parseQuestionSettings('number', { no_answers });
    expect(settings({ reason: 'refused', code: -1 }, { reason: 'dont_know', code: -1 })).toMatchObject({
      problems: [{ field: 'question_settings.no_answers[1].code' }],
    });
    expect(settings({ reason: 'refused', code: -1 }, { reason: 'refused', code: -2 })).toMatchObject({
      problems: [{ field: 'question_settings.no_answers[1].reason' }],
    });
    expect(settings({ reason: 'refused', code: -1 })).toMatchObject({
      settings: { no_answers: [{ reason: 'refused', code: -1, label: null }] },
    });
  });

  it('have no effect on a statement', () => {
    const read = parseQuestionSettings('statement', { no_answers: [{ reason: 'refused', code: -1 }] });
    expect(read).toMatchObject({ ok: false, problems: [{ field: 'question_settings.no_answers' }] });
  });

  it('leave no row of a matrix the name of a reason', () => {
    const rows = [{ row_code: 'no_answer', row_label: 'Price' }];
    expect(parseQuestionSettings('matrix', { rows })).toMatchObject({
      problems: [{ field: 'question_settings.rows[0].row_code' }],
    });
  });
});
