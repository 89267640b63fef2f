import { z } from 'zod';
import { OPERATORS } from '../domain/survey/logic/condition.ts';

/**
 * Logic in requests, with all accepted forms. For the API document only: the domain parses it with `readCondition`,
 * `readQuestionLogic` and `readPageLogic`, and stores and returns one normalized form.
 */

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const right = z
  .union([scalar, z.array(scalar)])
  .optional()
  .describe('Option values or labels; omitted with answered and not_answered');
const operator = z.enum(OPERATORS);
const questionId = z.int().positive();

const comparisonInput = z
  .strictObject({
    left: z
      .strictObject({
        type: z.enum(['question', 'column', 'hidden', 'attribute']).optional(),
        code: z.string().optional().describe('A code. For a question, question_id can be used instead'),
        question_id: questionId.optional(),
        row_code: z.string().optional().describe('For a matrix: the row'),
      })
      .meta({ id: 'ComparisonLeftInput' }),
    operator,
    right,
  })
  .meta({ id: 'ComparisonInput' });

const questionComparisonInput = z
  .strictObject({ question_id: questionId, row_code: z.string().optional(), operator, right })
  .meta({ id: 'QuestionComparisonInput' });

const shortConditionInput = z.record(z.string(), z.union([scalar, z.array(scalar)])).meta({
  id: 'ShortCondition',
  description:
    'By question code or id: option values or labels, one of which must be selected. All keys must match',
});

export const conditionInput: z.ZodType = z
  .lazy(() => z.union([comparisonInput, questionComparisonInput, conditionGroupInput, shortConditionInput]))
  .meta({
    id: 'ConditionInput',
    description:
      'A comparison, a group, or the short form `{"Q1": ["1", "2"]}`. Questions are referenced by code or id, options by value or label',
  });

const conditionGroupInput = z
  .strictObject({
    connector: z.enum(['and', 'or']).optional().describe('Default: and'),
    conditions: z.array(conditionInput),
  })
  .meta({ id: 'ConditionGroupInput' });

const skipRuleInput = z
  .strictObject({
    when: conditionInput,
    action: z.enum(['jump_to_page', 'jump_to_question', 'end_survey', 'screen_out']),
    target_id: z
      .int()
      .positive()
      .optional()
      .describe('A page_id or question_id, for jump_to_page and jump_to_question'),
    target_page: z
      .int()
      .positive()
      .optional()
      .describe('Instead of target_id: the current number of a page, from 1'),
    target_question: z.string().optional().describe('Instead of target_id: a question code'),
    reason: z.string().max(200).optional(),
  })
  .meta({ id: 'SkipRuleInput' });

const steps = { display: conditionInput.optional(), skip: z.array(skipRuleInput).max(100).optional() };

export const pageLogicInput = z.strictObject(steps).meta({ id: 'PageLogicInput' });

export const questionLogicInput = z
  .strictObject({
    ...steps,
    options: z.record(z.string(), conditionInput).optional().describe('By option_code'),
    carry_forward: z
      .strictObject({
        from: z.string().optional().describe('Code of an earlier question with options'),
        question_id: questionId.optional().describe('Instead of from'),
        mode: z.enum(['selected', 'not_selected', 'shown']).optional().describe('Default: selected'),
      })
      .meta({ id: 'CarryForwardInput' })
      .optional(),
  })
  .meta({ id: 'QuestionLogicInput' });
