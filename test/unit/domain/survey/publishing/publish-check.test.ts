import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../../../src/domain/questions/condition.ts';
import type { SurveyDefinition } from '../../../../../src/domain/survey/definition.ts';
import type { QuestionLogic, Skip } from '../../../../../src/domain/questions/logic-schema.ts';
import {
  findLogicCycles,
  findPublishProblems,
} from '../../../../../src/domain/survey/publishing/publish-check.ts';
import { page, pageWith, question, rows, survey } from '../../../../support/survey-builder.ts';

const asks = (code: string, more: Partial<Extract<Condition, { left: unknown }>> = {}): Condition => ({
  left: { type: 'question', code },
  operator: 'answered',
  ...more,
});
const logic = (parts: QuestionLogic) => ({ settings: { logic: parts } });
const shownWhen = (condition: Condition) => logic({ display: condition });
const jump = (action: Skip['action'], target_id?: number): Skip => ({
  when: { connector: 'and', conditions: [] },
  action,
  ...(target_id === undefined ? {} : { target_id }),
});

const problemsOf = (definition: SurveyDefinition) =>
  findPublishProblems(definition).map(({ code, field, message }) => ({ code, field, message }));

function expectOnly(definition: SurveyDefinition, code: string, field: string, message: string): void {
  expect(problemsOf(definition)).toEqual([
    { code, field, message: expect.stringContaining(message) as string },
  ]);
}

describe('a publishable survey', () => {
  it('may have every type of backward reference, and forward skips', () => {
    const definition = survey(
      page(
        question('single_choice', { options: ['1', '2'] }),
        question('matrix'),
        question('multiple_choice', {
          text: 'You said {{Q1}} ({{Q1:code}}), {{hidden.name}} and {{not a pipe}}',
        }),
      ),
      pageWith(
        {
          logic: { display: asks('Q1', { operator: 'equals', right: '2' }), skip: [jump('jump_to_page', 3)] },
        },
        question(
          'ranking',
          logic({
            display: asks('Q2', {
              left: { type: 'question', code: 'Q2', row_code: 'r1' },
              operator: 'in',
              right: ['1'],
            }),
            skip: [
              jump('jump_to_question', 105),
              jump('end_survey'),
              { ...jump('screen_out'), when: asks('Q4') },
            ],
            options: { '2': asks('Q1') },
            carry_forward: { from: 'Q3', mode: 'selected' },
          }),
        ),
      ),
      page(
        question('text', shownWhen({ left: { type: 'hidden', code: 'x' }, operator: 'equals', right: '1' })),
      ),
    );
    expect(findPublishProblems(definition)).toEqual([]);
  });
});

describe('a survey cannot be published', () => {
  it('without a page', () => expectOnly(survey(), 'empty_survey', '', 'no page'));
  it('without a question', () => expectOnly(survey(page()), 'empty_survey', '', 'asks no question'));
  it('with only retired questions', () =>
    expectOnly(survey(page(question('text', { retired: true }))), 'empty_survey', '', 'asks no question'));
  it('with only hidden questions', () =>
    expectOnly(
      survey(page(question('text', { settings: { hidden: true } }))),
      'empty_survey',
      '',
      'asks no question',
    ));

  it.each(['single_choice', 'multiple_choice', 'dropdown', 'matrix', 'ranking'] as const)(
    'with a %s question without options',
    (type) => {
      const definition = survey(page(question(type, { options: [{ value: '1', retired: true }] })));
      expectOnly(definition, 'options_missing', 'pages[0].questions[0].options', 'must have at least 1');
    },
  );

  it('with two questions of the same code', () => {
    const definition = survey(page(question('nps', { code: 'A' })), page(question('text', { code: 'a' })));
    expectOnly(
      definition,
      'duplicate_code',
      'pages[1].questions[0].question_code',
      'two questions have the code A (a)',
    );
  });

  it('with the code of a retired question', () => {
    const definition = survey(
      page(question('text', { code: 'A' }), question('nps', { code: 'A', retired: true })),
    );
    expectOnly(
      definition,
      'duplicate_code',
      'pages[0].questions[0].question_code',
      'two questions have the code A',
    );
  });

  it('with a reserved code', () => {
    const definition = survey(page(question('text', { code: 'NOT' })));
    expectOnly(definition, 'invalid_code', 'pages[0].questions[0].question_code', 'reserved word of SPSS');
  });

  it('with a column of two questions', () => {
    const definition = survey(
      page(question('multiple_choice', { code: 'Q2' }), question('text', { code: 'Q2_1' })),
    );
    expectOnly(
      definition,
      'column_collision',
      'pages[0].questions[1].question_code',
      'Q2 and Q2_1 would both',
    );
  });

  it('with a column that every response has', () => {
    const definition = survey(page(question('matrix', { code: 'link', settings: { rows: rows('id') } })));
    expectOnly(definition, 'column_collision', 'pages[0].questions[0].question_code', 'link_id');
  });

  it('with too many columns', () => {
    const many = Array.from({ length: 200 }, (_, index) => String(index));
    const huge = question('matrix', {
      options: many,
      settings: { rows: rows(...many), matrix_type: 'multiple' },
    });
    expectOnly(survey(page(huge)), 'too_many_columns', '', '40000 columns; at most 16384');
  });

  it('with more required selections than compatible options', () => {
    const withOptions = question('multiple_choice', {
      options: ['1', '2', { value: '9', exclusive: true }],
      settings: { min_selections: 3 },
    });
    const field = 'pages[0].questions[0].question_settings.min_selections';
    expectOnly(
      survey(page(withOptions)),
      'impossible_settings',
      field,
      'must be at most 2, the number of options that can be selected together, not 3',
    );
  });

  it('with more required ranks than options', () => {
    const definition = survey(page(question('ranking', { settings: { min_ranked: 4 } })));
    expectOnly(
      definition,
      'impossible_settings',
      'pages[0].questions[0].question_settings.min_ranked',
      'not 4',
    );
  });

  it('with an unsafe pattern', () => {
    const definition = survey(page(question('text', { settings: { format: 'regex', pattern: '(?=a)a' } })));
    expectOnly(
      definition,
      'impossible_settings',
      'pages[0].questions[0].question_settings.pattern',
      'look-ahead',
    );
  });
});

describe('an invalid reference prevents publishing', () => {
  const first = 'pages[0].questions[1].question_settings.logic';
  const second = (condition: Condition) =>
    survey(page(question('single_choice'), question('text', shownWhen(condition))), page(question('nps')));

  it.each<[string, Condition, string, string]>([
    ['to an unknown question', asks('Q9'), '.display.left', 'question "Q9" does not exist'],
    [
      'to a name inherited from Object.prototype',
      asks('constructor'),
      '.display.left',
      'question "constructor" does not exist',
    ],
    [
      'to an unknown option',
      asks('Q1', { operator: 'equals', right: '7' }),
      '.display.left',
      '"7" is not an option of Q1; accepted: "1", "2", "3"',
    ],
    [
      'to an unknown option in nested groups',
      {
        connector: 'and',
        conditions: [
          asks('Q1'),
          { connector: 'or', conditions: [asks('Q1', { operator: 'in', right: ['1', 'x'] })] },
        ],
      },
      '.display.conditions[1].conditions[0].left',
      '"x" is not an option of Q1',
    ],
    [
      'to a row of a question that is not a matrix',
      asks('Q1', { left: { type: 'question', code: 'Q1', row_code: 'r1' } }),
      '.display.left',
      'row_code is not allowed for',
    ],
    [
      'to a data column',
      asks('Q1', { left: { type: 'column', code: 'Q1_1' } }),
      '.display.left',
      'not to the column "Q1_1"',
    ],
  ])('%s', (_, condition, field, message) =>
    expectOnly(second(condition), 'dangling_reference', first + field, message),
  );

  it('to a later question', () =>
    expectOnly(
      second(asks('Q3')),
      'forward_reference',
      `${first}.display.left`,
      'Q3 does not come before Q2',
    ));

  it('to a retired question', () => {
    const definition = survey(
      page(question('text', { retired: true }), question('text', shownWhen(asks('Q1')))),
    );
    expectOnly(definition, 'dangling_reference', `${first}.display.left`, 'question "Q1" does not exist');
  });

  it('to a matrix without a row, or with an unknown row', () => {
    const about = (left: object) =>
      survey(
        page(
          question('matrix'),
          question(
            'text',
            shownWhen({ left: { type: 'question', code: 'Q1', ...left }, operator: 'equals', right: '1' }),
          ),
        ),
      );
    expectOnly(about({}), 'dangling_reference', `${first}.display.left`, 'add row_code');
    expectOnly(
      about({ row_code: 'r9' }),
      'dangling_reference',
      `${first}.display.left`,
      '"r9" is not a row of Q1',
    );
    expect(problemsOf(about({ row_code: 'r2' }))).toEqual([]);
  });

  it('from a page to a question on it', () => {
    const definition = survey(
      page(question('text')),
      pageWith({ logic: { display: asks('Q3') } }, question('text'), question('text')),
    );
    expect(problemsOf(definition)).toContainEqual({
      code: 'forward_reference',
      field: 'pages[1].page_logic.display.left',
      message: 'Q3 does not come before this page: display can only refer to earlier questions',
    });
  });

  it('from an unknown option', () => {
    const definition = survey(
      page(question('text'), question('dropdown', logic({ options: { '9': asks('Q1') } }))),
    );
    expectOnly(definition, 'dangling_reference', `${first}.options.9`, '"9" is not an option_code');
  });

  it('in a pipe', () => {
    const definition = survey(page(question('text'), question('text', { text: 'Why {{Q7}}?' })));
    expectOnly(
      definition,
      'dangling_reference',
      'pages[0].questions[1].question_text',
      'question "Q7" does not exist',
    );
    const withDefault = survey(page(question('text'), question('text', { text: 'Why {{Q7|it}}?' })));
    expectOnly(
      withDefault,
      'dangling_reference',
      'pages[0].questions[1].question_text',
      'question "Q7" does not exist',
    );
    const known = survey(
      page(
        question('text', { settings: { report_label: '{{Q2}}' } }),
        question('text', { text: '{{Q1|it}}?' }),
      ),
    );
    expect(problemsOf(known)).toEqual([]);
    const ahead = survey(page(question('dropdown', { options: [{ label: '{{Q2}}' }] }), question('text')));
    expectOnly(
      ahead,
      'forward_reference',
      'pages[0].questions[0].options[0].option_label',
      'Q2 does not come before',
    );
  });

  it('that carries options from a question without options', () => {
    const definition = survey(
      page(question('text'), question('dropdown', logic({ carry_forward: { from: 'Q1', mode: 'shown' } }))),
    );
    expectOnly(definition, 'dangling_reference', `${first}.carry_forward.from`, 'Q1 does not have options');
  });

  it.each<[string, Skip, string, string]>([
    ['skips to an unknown page', jump('jump_to_page', 77), 'dangling_reference', 'page 77 does not exist'],
    [
      'skips to an unknown question',
      jump('jump_to_question', 1),
      'dangling_reference',
      'question 1 does not exist',
    ],
    [
      'skips backwards',
      jump('jump_to_page', 1),
      'backward_skip',
      'the page with the id 1 is an earlier page',
    ],
    [
      'skips to its own page',
      jump('jump_to_page', 2),
      'backward_skip',
      'the page with the id 2 is the same page',
    ],
    [
      'skips to a question on its own page',
      jump('jump_to_question', 102),
      'backward_skip',
      'the question with the id 102 is on the same page',
    ],
  ])('that %s', (_, skip, code, message) => {
    const definition = survey(
      page(question('text')),
      page(question('text', logic({ skip: [skip] }))),
      page(question('text')),
    );
    expectOnly(definition, code, 'pages[1].questions[0].question_settings.logic.skip[0].target_id', message);
  });

  it('in a skip that depends on a later page', () => {
    const when = { ...jump('end_survey'), when: asks('Q2') };
    const definition = survey(
      pageWith({ logic: { skip: [when] } }, question('text')),
      page(question('text')),
    );
    expectOnly(
      definition,
      'forward_reference',
      'pages[0].page_logic.skip[0].when.left',
      'does not come before this page',
    );
  });
});

describe('logic without a visible target', () => {
  it('includes a jump to a hidden question', () => {
    const jump: Skip = { when: asks('Q1'), action: 'jump_to_question', target_id: 102 };
    const definition = survey(
      pageWith({ logic: { skip: [jump] } }, question('text')),
      page(question('text', { settings: { hidden: true } }), question('text')),
    );
    expectOnly(definition, 'dangling_reference', 'pages[0].page_logic.skip[0].target_id', 'is hidden');
  });

  it('includes carrying options to or from a question without options', () => {
    const carrying = { settings: { logic: { carry_forward: { from: 'Q1', mode: 'selected' } } as never } };
    const at = 'pages[0].questions[1].question_settings.logic.carry_forward.from';
    const into = survey(page(question('single_choice'), question('text', carrying)));
    expectOnly(into, 'dangling_reference', at, 'Q2 is a text question');
    const outOf = survey(page(question('text'), question('single_choice', carrying)));
    expectOnly(outOf, 'dangling_reference', at, 'Q1 does not have options to carry forward');
  });
});

describe('circular logic', () => {
  it('is reported with its cycle', () => {
    const definition = survey(
      page(
        question('text', shownWhen(asks('Q3'))),
        question('text', shownWhen(asks('Q1'))),
        question('text', shownWhen(asks('Q2'))),
        question('text', shownWhen(asks('Q1'))),
        question('text', shownWhen(asks('Q5'))),
      ),
    );
    expect(findLogicCycles(definition)).toEqual([['Q1', 'Q3', 'Q2'], ['Q5']]);
    expect(problemsOf(definition)).toContainEqual({
      code: 'logic_cycle',
      field: 'pages[0].questions[0].question_settings.logic',
      message: 'the display logic of Q1 depends on itself: Q1 → Q3 → Q2 → Q1',
    });
  });

  it('is found between pages', () => {
    const definition = survey(
      pageWith({ logic: { display: asks('Q2') } }, question('text')),
      pageWith({ logic: { display: asks('Q1') } }, question('text')),
    );
    expect(findLogicCycles(definition)).toEqual([['Q1', 'Q2']]);
  });

  it('is not reported for questions that only share dependencies', () => {
    const definition = survey(
      page(
        question('text'),
        question('text', shownWhen(asks('Q1'))),
        question('text', shownWhen(asks('Q1'))),
        question('text', shownWhen({ connector: 'or', conditions: [asks('Q2'), asks('Q3')] })),
      ),
    );
    expect(findLogicCycles(definition)).toEqual([]);
  });

  it('does not exhaust the stack in a chain of 2,000 questions', () => {
    const chain = Array.from({ length: 2_000 }, (_, index) =>
      question('text', shownWhen(asks(`Q${index + 2}`))),
    );
    expect(findLogicCycles(survey(page(...chain, question('text', shownWhen(asks('Q1'))))))[0]).toHaveLength(
      2_001,
    );
  });
});
