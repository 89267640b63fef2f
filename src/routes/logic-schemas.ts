import { z } from 'zod';
import { OPERATORS } from '../domain/survey/logic/condition.ts';

/**
 * Logic as requests have it, with every accepted form. For the API document only: the domain reads it with `readCondition`,
 * `readQuestionLogic` and `readPageLogic`, and stores and returns one form.
 */

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const right = z
  .union([scalar, z.array(scalar)])
  .optional()
  .describe('option_values or labels of options; absent with answered and not_answered');
const operator = z.enum(OPERATORS);
const questionId = z.int().positive();

const comparisonInput = z
  .strictObject({
    left: z
      .strictObject({
        type: z.enum(['question', 'column', 'hidden', 'attribute']).optional(),
        code: z.string().optional().describe('A code; a question can be named by question_id instead'),
        question_id: questionId.optional(),
        row_code: z.string().optional(),
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
    'By question code or id: the option_values or labels of which one must be chosen. All keys must hold',
});

export const conditionInput: z.ZodType = z
  .lazy(() => z.union([comparisonInput, questionComparisonInput, conditionGroupInput, shortConditionInput]))
  .meta({
    id: 'ConditionInput',
    description:
      'A comparison, a group, or the short form `{"Q1": ["1", "2"]}`. A question is named by code or id, an option by option_value or label',
  });

const conditionGroupInput = z
  .strictObject({
    connector: z.enum(['and', 'or']).optional().describe('Default and'),
    conditions: z.array(conditionInput),
  })
  .meta({ id: 'ConditionGroupInput' });

const skipRuleInput = z
  .strictObject({
    when: conditionInput,
    action: z.enum(['jump_to_page', 'jump_to_question', 'end_survey', 'screen_out']),
    target_id: z.int().positive().optional().describe('A page_id or question_id, for the two jumps'),
    target_page: z
      .int()
      .positive()
      .optional()
      .describe('Instead of target_id: the number of a page, from 1, as the survey is now'),
    target_question: z.string().optional().describe('Instead of target_id: the code of a question'),
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
        from: z.string().optional().describe('The code of an earlier question with options'),
        question_id: questionId.optional().describe('Instead of from'),
        mode: z.enum(['selected', 'not_selected', 'shown']).optional().describe('Default selected'),
      })
      .meta({ id: 'CarryForwardInput' })
      .optional(),
  })
  .meta({ id: 'QuestionLogicInput' });
