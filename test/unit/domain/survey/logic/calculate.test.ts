import { describe, expect, it, test } from 'vitest';
import type { StoredAnswers } from '../../../../../src/domain/questions/answers/codec.ts';
import { parseQuestionSettings } from '../../../../../src/domain/questions/parse-question-settings.ts';
import { requiredProblem } from '../../../../../src/domain/questions/registry.ts';
import type { SurveyDefinition } from '../../../../../src/domain/survey/definition.ts';
import { NO_RESPONDENT_CONTEXT } from '../../../../../src/domain/survey/logic/evaluate-logic.ts';
import { prepareDefinition } from '../../../../../src/domain/survey/logic/prepare-definition.ts';
import {
  hiddenNamesIn,
  pickReferencedProfile,
} from '../../../../../src/domain/survey/logic/referenced-values.ts';
import { findCalculationProblems } from '../../../../../src/domain/survey/publishing/calculation-check.ts';
import { findPublishProblems } from '../../../../../src/domain/survey/publishing/publish-check.ts';
import { findReferencesTo } from '../../../../../src/domain/survey/publishing/references.ts';
import {
  calculatedValues,
  findDroppedAnswers,
  removeHiddenAnswers,
  validateAnswers,
} from '../../../../../src/domain/survey/validate-answers.ts';
import { equals, logic, pagesOf, renderAnswers } from '../../../../support/render-answers.ts';
import { page, question, type QuestionInput, rows, survey } from '../../../../support/survey-builder.ts';

type Settings = NonNullable<QuestionInput<'calculated'>['settings']>;

/** A survey of one page that asks for everything an expression can read, and calculates `X` after it. */
function surveyWith(expression: string, settings: Settings = {}): SurveyDefinition {
  return survey(
    page(
      question('number', { code: 'N1', settings: { decimals: 2 } }),
      question('number', { code: 'N2', settings: { decimals: 2 } }),
      question('single_choice', {
        code: 'C',
        options: ['1', '2', { value: 'other', code: 7, other: true }, { value: '99', missing: true }],
      }),
      question('multiple_choice', { code: 'M' }),
      question('matrix', { code: 'G', settings: { rows: rows('r1', 'r2') } }),
      question('date', { code: 'D' }),
      question('text', { code: 'T' }),
      question('ranking', { code: 'R' }),
      question('constant_sum', { code: 'S' }),
    ),
    page(question('calculated', { code: 'X', settings: { expression, ...settings } })),
  );
}

function valueOf(
  expression: string,
  answers: Record<string, unknown>,
  settings: Settings = {},
  context: Partial<typeof NO_RESPONDENT_CONTEXT> = {},
): unknown {
  const prepared = prepareDefinition(surveyWith(expression, settings));
  return calculatedValues(prepared, answers as StoredAnswers, { ...NO_RESPONDENT_CONTEXT, ...context }).X;
}

describe('a calculated value', () => {
  test.each([
    ['N1 + N2', { N1: 0.1, N2: 0.2 }, 0.3],
    ['n1 * 12', { N1: 3 }, 36],
    ['C * 10', { C: '2' }, 20],
    ['C * 10', { C: { value: 'other', other: 'tea' } }, 70],
    ['sum(M_1, M_2, M_3)', { M: ['1', '3'] }, 2],
    ['mean(G_r1, G_r2)', { G: { r1: '1', r2: '3' } }, 2],
    ['R_3 + S_1', { R: ['3', '1', '2'], S: { '1': 40, '2': 60, '3': 0 } }, 41],
    ["datediff(D, '2026-03-01')", { D: '2026-01-31' }, 29],
    ["if(C = 'Option 2', 1, 0)", { C: '2' }, 1],
    ['number(T) * 2', { T: ' 4.5 ' }, 9],
    ['N1 / N2', { N1: 1, N2: 0 }, null],
    ['N1 + N2', { N1: 1 }, null],
    ['sum(N1, N2)', { N1: 1 }, 1],
    ['N1 + N2', { N1: 1, N2: { no_answer: 'refused' } }, null],
    ['C + 0', { C: '99' }, null],
    ['if(C = 99, 1, 0)', { C: '99' }, 1],
    ['number(T)', { T: 'four' }, null],
  ])('%s of %j is %j', (expression, answers, expected) => {
    expect(valueOf(expression, answers)).toEqual(expected);
  });

  test.each([
    ['text', "concat(C_other, '!')", { C: { value: 'other', other: 'tea' } }, 'tea!'],
    ['text', 'label(C)', { C: '2' }, 'Option 2'],
    ['text', 'T', {}, null],
    ['boolean', 'N1 > 3', { N1: 4 }, '1'],
    ['boolean', 'N1 > 3', { N1: 3 }, '0'],
    ['boolean', 'N1 > 3', {}, null],
    ['date', "coalesce(D, '2026-01-01')", {}, '2026-01-01'],
    ['date', 'D', { D: '2025-12-24' }, '2025-12-24'],
  ] as const)('is stored as a %s: %s', (result, expression, answers, expected) => {
    expect(valueOf(expression, answers, { result })).toEqual(expected);
  });

  it('reads values of the link, attributes and arms', () => {
    const context = {
      hidden: new Map([['price', '2.5']]),
      respondent: { name: null, attributes: { Age: 40 } },
    };
    const expression = 'number(`hidden.price`) * N1 + number(`attribute.Age`)';
    expect(valueOf(expression, { N1: 2 }, {}, context)).toBe(45);
    expect(valueOf(expression, { N1: 2 })).toBeNull();
    const definition = surveyWith(expression);
    expect([...hiddenNamesIn(definition.pages)]).toEqual(['price']);
    expect(
      pickReferencedProfile({ name: 'Ana', attributes: { Age: 40, City: 'Bonn' } }, definition.pages),
    ).toEqual({
      name: null,
      attributes: { Age: 40 },
    });
  });

  it('is computed again and never taken from a client', () => {
    const prepared = prepareDefinition(surveyWith('N1 * 2'));
    const answers = { N1: 4, X: 1_000 };
    const complete = validateAnswers(prepared, answers, { mode: 'complete' });
    expect(complete).toMatchObject({ ok: true, answers: { N1: 4, X: 8 } });
    const partial = validateAnswers(prepared, answers, { mode: 'partial' });
    expect(partial).toMatchObject({ ok: true, answers: { N1: 4 } });
    expect(partial.ok && Object.hasOwn(partial.answers, 'X')).toBe(false);
    expect(removeHiddenAnswers(prepared, answers, NO_RESPONDENT_CONTEXT)).toEqual({ N1: 4, X: 8 });
    expect(findDroppedAnswers(prepared, answers, { N1: 4, X: 8 })).toEqual([
      { field: 'answers.X', message: 'not stored: the value is calculated from other answers' },
    ]);
    expect(findDroppedAnswers(prepared, { N1: 4, X: 8 }, { N1: 4, X: 8 })).toEqual([]);
  });

  it('leads conditions, skips and texts, also where it is hidden', () => {
    const definition = survey(
      page(question('number', { code: 'N' })),
      page(
        question('calculated', { code: 'H', settings: { expression: 'N * 1.5', hidden: true, decimals: 2 } }),
        question('calculated', {
          code: 'B',
          settings: {
            expression: 'H > 5',
            result: 'boolean',
            yes_label: 'High',
            translations: { de: { yes_label: 'Hoch' } },
          },
        }),
      ),
      page(
        question('text', {
          code: 'T',
          text: 'Why {{H}}, {{B}}?',
          settings: logic({ display: equals('B', '1') }),
        }),
      ),
    );
    const shown = renderAnswers(definition, { N: 4 });
    expect(pagesOf(shown)).toEqual(['1: N', '2: B', '3: T']);
    expect(shown.pages[2]!.questions[0]!.text).toBe('Why 6.00, High?');
    expect(pagesOf(renderAnswers(definition, { N: 3 }))).toEqual(['1: N', '2: B']);
    const german = renderAnswers(definition, { N: 1_000 }, { language: 'de' });
    expect(german.pages[2]!.questions[0]!.text).toBe('Why 1.500,00, Hoch?');
  });

  it('has no value where its condition is false', () => {
    const definition = survey(
      page(question('number', { code: 'N' })),
      page(
        question('calculated', {
          code: 'X',
          settings: { expression: 'N', hidden: true, ...logic({ display: equals('N', '1') }) },
        }),
      ),
    );
    const prepared = prepareDefinition(definition);
    expect(calculatedValues(prepared, { N: 1 }, NO_RESPONDENT_CONTEXT)).toEqual({ X: 1 });
    expect(calculatedValues(prepared, { N: 2 }, NO_RESPONDENT_CONTEXT)).toEqual({});
  });
});

describe('an invalid expression', () => {
  const problemsOf = (definition: SurveyDefinition) =>
    [...findPublishProblems(definition), ...findCalculationProblems(definition)].map(
      ({ code, message, field }) => [code, message, field],
    );
  const field = 'pages[1].questions[0].question_settings.expression';

  test.each([
    ['', 'invalid_expression', 'X needs an expression'],
    [
      'N1 + Nope',
      'invalid_expression',
      expect.stringMatching(/the expression of X is invalid: .*Nope.* \(at character 6\)/),
    ],
    [
      'T',
      'invalid_expression',
      expect.stringMatching(/this is a text where a number belongs \(at character 1\)/),
    ],
    ['1 / 0', 'invalid_expression', expect.stringMatching(/this has no finite value/)],
    ['X + 1', 'forward_reference', 'the expression of X cannot refer to itself'],
    ['`arm.NOPE`', 'invalid_expression', expect.stringMatching(/this is a text where a number belongs/)],
  ])('%j is found before publishing', (expression, code, message) => {
    expect(problemsOf(surveyWith(expression))).toEqual([[code, message, field]]);
  });

  it('cannot refer to later questions', () => {
    const definition = survey(
      page(
        question('calculated', { code: 'A', settings: { expression: 'B' } }),
        question('calculated', { code: 'B', settings: { expression: 'A' } }),
      ),
    );
    expect(problemsOf(definition)).toEqual([
      [
        'forward_reference',
        'B does not come before A: expression can only refer to earlier questions',
        'pages[0].questions[0].question_settings.expression',
      ],
    ]);
  });

  it('names the question that it needs', () => {
    const definition = surveyWith('G_r1 + M_2');
    const matrix = definition.pages[0]!.questions.find(({ code }) => code === 'G')!;
    expect(findReferencesTo(definition, { questionIds: new Set([matrix.id]) })).toMatchObject([
      { location: 'expression', target: { kind: 'question', code: 'G' } },
    ]);
  });

  test.each([
    ['N1 +', 'a value is missing at the end (at character 5)'],
    ['(N1', 'this parenthesis is not closed (at character 1)'],
    ['x'.repeat(2_001), expect.stringMatching(/2,?000/)],
  ])('%s is refused when it is saved', (expression, message) => {
    expect(parseQuestionSettings('calculated', { expression })).toMatchObject({
      ok: false,
      problems: [{ field: 'question_settings.expression', message }],
    });
  });

  it('is of a question that is never required and offers no reasons', () => {
    expect(requiredProblem('calculated', true)).toMatch(/respondents do not answer/);
    const reasons = { no_answers: [{ reason: 'refused', code: -1 }] };
    expect(parseQuestionSettings('calculated', reasons)).toMatchObject({
      ok: false,
      problems: [{ field: 'question_settings.no_answers' }],
    });
  });
});
