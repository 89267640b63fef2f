import { describe, expect, it } from 'vitest';
import type { SurveyDefinition } from '../../../../src/domain/survey/definition.ts';
import {
  type HiddenValues,
  NO_RESPONDENT_CONTEXT,
} from '../../../../src/domain/survey/logic/evaluate-logic.ts';
import { prepareDefinition } from '../../../../src/domain/survey/logic/prepare-definition.ts';
import { validateAnswers } from '../../../../src/domain/survey/validate-answers.ts';
import { page, pageWith, question, survey } from '../../../support/survey-builder.ts';

const when = (code: string, right: string) => ({
  left: { type: 'question' as const, code },
  operator: 'equals' as const,
  right,
});
const logic = (parts: object) => ({ logic: parts }) as { logic: never };

function judged(
  mode: 'complete' | 'partial',
  definition: SurveyDefinition,
  input: unknown,
  hidden?: HiddenValues,
) {
  const result = validateAnswers(prepareDefinition(definition), input, {
    mode,
    context: hidden && { ...NO_RESPONDENT_CONTEXT, hidden },
  });
  return result.ok ? { ok: true, answers: result.answers } : result;
}
const complete = (definition: SurveyDefinition, input: unknown, hidden?: HiddenValues) =>
  judged('complete', definition, input, hidden);
const partial = (definition: SurveyDefinition, input: unknown) => judged('partial', definition, input);

/** Q1 yes or no; on yes Q2 (required) and, on the second page, Q3. */
const branched = () =>
  survey(
    page(
      question('single_choice', { options: ['1', '2'], required: true }),
      question('text', { required: true, text: 'Which one?', settings: logic({ display: when('Q1', '1') }) }),
    ),
    pageWith({ logic: { display: when('Q1', '1') } }, question('nps', { required: true })),
  );

describe('a multiple choice without ticked options', () => {
  const surveyWith = (
    required: boolean,
    operator: 'answered' | 'not_answered' | 'includes_none' | 'includes_any',
  ) => {
    const right = operator.startsWith('includes') ? { right: ['1', '2'] } : {};
    const display = { left: { type: 'question' as const, code: 'Q1' }, operator, ...right };
    return survey(
      page(question('multiple_choice', { required, options: ['1', '2', '3'] })),
      page(question('text', { required: true, settings: logic({ display }) })),
    );
  };

  it('is stored as empty, and null as skipped', () => {
    const definition = surveyWith(false, 'includes_any');
    expect(complete(definition, { Q1: [] })).toEqual({ ok: true, answers: { Q1: [] } });
    expect(complete(definition, { Q1: null })).toEqual({ ok: true, answers: { Q1: null } });
    expect(complete(definition, {})).toEqual({ ok: true, answers: { Q1: null } });
    expect(partial(definition, { Q1: [] })).toEqual({ ok: true, answers: { Q1: [] } });
  });

  it('is rejected if an answer is required', () => {
    const refusal = {
      ok: false,
      problems: [{ field: 'answers.Q1', message: expect.stringContaining('is required') as string }],
    };
    expect(complete(surveyWith(true, 'includes_any'), { Q1: [] })).toEqual(refusal);
    const rows = [{ row_code: 'r1', row_label: 'Row' }];
    const matrix = survey(
      page(question('matrix', { required: true, settings: { rows, matrix_type: 'multiple' } })),
    );
    expect(complete(matrix, { Q1: { r1: [] } })).toEqual(refusal);
    expect(complete(matrix, { Q1: { r1: ['1'] } })).toMatchObject({ ok: true });
  });

  it.each([
    ['answered', true, false],
    ['not_answered', false, true],
    ['includes_none', true, false],
    ['includes_any', false, false],
  ] as const)('makes %s %s, and a skip makes it %s', (operator, forNone, forSkip) => {
    const asks = (input: object) => !complete(surveyWith(false, operator), input).ok;
    expect(asks({ Q1: [] })).toBe(forNone);
    expect(asks({ Q1: null })).toBe(forSkip);
  });
});

describe('a complete response', () => {
  it('has every answer in its stored form', () => {
    expect(complete(branched(), { Q1: 1, Q2: 'This', Q3: '9' })).toEqual({
      ok: true,
      answers: { Q1: '1', Q2: 'This', Q3: 9 },
    });
  });

  it('that skips a required question names it', () => {
    expect(complete(branched(), { Q1: '1', Q3: 9 })).toEqual({
      ok: false,
      problems: [{ field: 'answers.Q2', message: 'is required: "Which one?"' }],
    });
  });

  it('names invalid values of a required question in brackets', () => {
    const definition = survey(
      page({ ...question('text'), text: 'How is {{hidden.city|your town}}?', required: true }),
    );
    expect(complete(definition, {})).toMatchObject({
      problems: [{ message: 'is required: "How is [city]?"' }],
    });
  });

  it('does not require answers to hidden questions, and drops those given', () => {
    const result = complete(branched(), { Q1: '2', Q2: 'typed before going back', Q3: 99 });
    expect(result).toEqual({ ok: true, answers: { Q1: '2' } });
  });

  it('distinguishes a skipped question (null) from one not shown (absent)', () => {
    const definition = survey(
      page(question('text'), question('text', { settings: logic({ display: when('Q1', 'x') }) })),
    );
    expect(complete(definition, {})).toEqual({ ok: true, answers: { Q1: null } });
    expect(complete(definition, { Q1: 'X' })).toEqual({ ok: true, answers: { Q1: 'X', Q2: null } });
  });

  it('treats the answer of a hidden question as missing for everything after it', () => {
    const definition = survey(
      page(
        question('single_choice'),
        question('single_choice', { settings: logic({ display: when('Q1', '1') }) }),
        question('single_choice', { settings: logic({ display: when('Q2', '1') }) }),
      ),
    );
    expect(complete(definition, { Q1: '2', Q2: '1', Q3: '1' })).toEqual({ ok: true, answers: { Q1: '2' } });
  });

  it('drops options that logic withholds, and is incomplete if a required answer becomes empty', () => {
    const withheld = question('multiple_choice', {
      required: true,
      settings: logic({ options: { '3': when('Q1', '1') } }),
    });
    const definition = survey(page(question('single_choice'), withheld));
    expect(complete(definition, { Q1: '2', Q2: ['1', '3'] })).toEqual({
      ok: true,
      answers: { Q1: '2', Q2: ['1'] },
    });
    expect(complete(definition, { Q1: '1', Q2: ['1', '3'] })).toMatchObject({ answers: { Q2: ['1', '3'] } });
    expect(complete(definition, { Q1: '2', Q2: ['3'] })).toMatchObject({
      problems: [{ field: 'answers.Q2' }],
    });
  });

  it('applies a value of the link', () => {
    const display = {
      left: { type: 'hidden' as const, code: 'source' },
      operator: 'equals' as const,
      right: 'mail',
    };
    const definition = survey(page(question('text', { required: true, settings: logic({ display }) })));
    expect(complete(definition, {})).toEqual({ ok: true, answers: {} });
    expect(complete(definition, {}, new Map([['source', 'Mail']]))).toMatchObject({ ok: false });
  });

  it('keeps a value of a hidden question without requiring one', () => {
    const definition = survey(page(question('text', { required: true, settings: { hidden: true } })));
    expect(complete(definition, {})).toEqual({ ok: true, answers: {} });
    expect(complete(definition, { Q1: 'set' })).toEqual({ ok: true, answers: { Q1: 'set' } });
  });
});

describe('a partial response', () => {
  it('is validated only in the given answers', () => {
    expect(partial(branched(), { Q3: '7' })).toEqual({ ok: true, answers: { Q3: 7 } });
    expect(partial(branched(), {})).toEqual({ ok: true, answers: {} });
    expect(partial(branched(), { Q1: null, Q2: ' ' })).toEqual({ ok: true, answers: { Q1: null, Q2: null } });
    expect(partial(branched(), { Q3: 11 })).toMatchObject({ problems: [{ field: 'answers.Q3' }] });
  });
});

describe.each(['complete', 'partial'] as const)('a forged %s response', (mode) => {
  const definition = () =>
    survey(
      page(
        question('text'),
        question('text', { code: 'old', retired: true }),
        question('matrix'),
        question('multiple_choice', { options: ['1', { value: '2', other: true }] }),
      ),
    );
  const problemsOf = (input: unknown) => {
    const result = validateAnswers(prepareDefinition(definition()), input, { mode });
    return result.ok ? [] : result.problems;
  };

  it.each([null, 'Q1', 5, true, [], ['Q1'], [{ Q1: 'a' }]])('that is %j is rejected', (input) => {
    expect(problemsOf(input)).toEqual([
      { field: 'answers', message: expect.stringContaining('must be an object of answers') as string },
    ]);
  });

  it.each([
    'Q99',
    'constructor',
    'toString',
    'hasOwnProperty',
    'is_test',
    'response_id',
    'completed_at',
    "Q1'; --",
  ])('with the unknown code %s is rejected by name', (code) => {
    expect(problemsOf({ [code]: '1' })).toEqual([
      {
        field: `answers.${code}`,
        message: expect.stringContaining(`question "${code}" does not exist in this survey`) as string,
      },
    ]);
  });

  it('with __proto__ as a code is rejected and changes no object', () => {
    expect(problemsOf(JSON.parse('{"__proto__":{"polluted":true}}'))).toMatchObject([
      { field: 'answers.__proto__' },
    ]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('gets a suggestion if only the case of a code is wrong', () => {
    expect(problemsOf({ q1: 'a' })[0]?.message).toBe(
      'question "q1" does not exist in this survey; did you mean "Q1"?',
    );
  });

  it('cannot answer a retired question', () => {
    expect(problemsOf({ old: 'a' })).toEqual([{ field: 'answers.old', message: 'question old is retired' }]);
  });

  it('gets the path within the answer', () => {
    const problems = problemsOf({ Q3: { r1: '7' }, Q4: ['1', { value: '2', other: 5 }] });
    expect(problems.map(({ field }) => field)).toEqual(['answers.Q3.r1', 'answers.Q4[1].other']);
  });

  it('gets at most a hundred problems', () => {
    const flood = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`X${index}`, 1]));
    expect(problemsOf(flood)).toHaveLength(100);
  });
});

it('a question with a code inherited from Object.prototype works like any other', () => {
  const definition = survey(
    page(question('text', { code: 'constructor' }), question('text', { code: 'valueOf' })),
  );
  const result = complete(definition, { constructor: 'a' });
  expect(result).toEqual({ ok: true, answers: { constructor: 'a', valueOf: null } });
  expect(complete(definition, {})).toEqual({ ok: true, answers: { constructor: null, valueOf: null } });
});
