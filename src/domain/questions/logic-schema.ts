import { z } from 'zod';
import { formatList, notAllowedFor, quote, requiredField } from '../../lib/error-messages.ts';
import { isNoAnswerReason, NO_ANSWER_REASONS } from '../columns/no-answer.ts';
import { attributeNameProblem } from '../respondents/attributes.ts';
import { type Condition, type Operator, OPERATORS } from './condition.ts';

const MAX_VALUES = 1_000;
const MAX_CONDITIONS = 200;

const scalarSchema = z.union([z.string().max(2_000), z.number(), z.boolean()]);
const codeSchema = z.string().min(1).max(120);

const LIST_OPERATORS: ReadonlySet<Operator> = new Set([
  'between',
  'in',
  'not_in',
  'includes_any',
  'includes_all',
  'includes_none',
  'gave_reason',
]);
const BARE_OPERATORS: ReadonlySet<Operator> = new Set(['answered', 'not_answered']);

export const comparisonSchema = z
  .strictObject({
    left: z
      .strictObject({
        type: z.enum(['question', 'column', 'hidden', 'attribute', 'arm', 'previous']).default('question'),
        code: codeSchema,
        row_code: codeSchema.optional(),
      })
      .superRefine(({ type, code, row_code: rowCode }, context) => {
        if (type !== 'attribute' && type !== 'arm') return;
        const message = type === 'attribute' ? attributeNameProblem(code) : null;
        if (message !== null) context.addIssue({ code: 'custom', path: ['code'], message });
        if (rowCode !== undefined)
          context.addIssue({ code: 'custom', path: ['row_code'], message: notAllowedFor(`an ${type}`) });
      }),
    operator: z.enum(OPERATORS),
    right: z.union([scalarSchema, z.array(scalarSchema).max(MAX_VALUES)]).optional(),
  })
  .superRefine(({ operator, right }, context) => {
    const addIssue = (message: string) => context.addIssue({ code: 'custom', path: ['right'], message });
    if (BARE_OPERATORS.has(operator)) {
      if (right !== undefined) addIssue(`${operator} takes no right side`);
    } else if (right === undefined) {
      addIssue(`${operator} needs a right side`);
    } else if (LIST_OPERATORS.has(operator) !== Array.isArray(right)) {
      addIssue(
        LIST_OPERATORS.has(operator) ? `${operator} needs an array` : `${operator} needs a single value`,
      );
    } else if (operator === 'gave_reason' && Array.isArray(right) && !right.every(isNoAnswerReason)) {
      addIssue(`gave_reason accepts ${formatList(NO_ANSWER_REASONS, NO_ANSWER_REASONS.length, quote)}`);
    } else if (operator === 'between' && Array.isArray(right) && right.length !== 2) {
      addIssue('between needs two values, the lowest and the highest');
    }
  })
  .meta({ id: 'Comparison' });

/** One comparison, or a group of them; groups nest. */
export const conditionSchema: z.ZodType<Condition> = z
  .lazy(() => z.union([comparisonSchema, conditionGroupSchema]))
  .meta({ id: 'Condition' });

const conditionGroupSchema = z
  .strictObject({
    connector: z.enum(['and', 'or']).default('and'),
    conditions: z.array(conditionSchema).max(MAX_CONDITIONS),
  })
  .meta({ id: 'ConditionGroup' });

const skipSchema = z
  .strictObject({
    when: conditionSchema,
    action: z.enum(['jump_to_page', 'jump_to_question', 'end_survey', 'screen_out']),
    /** A page_id or question_id, for the two jumps. */
    target_id: z.int().positive().optional(),
    reason: z
      .string()
      .max(200)
      .optional()
      .describe('Stored with the response as `end_reason`; respondents never see it'),
  })
  .superRefine((skip, context) => {
    if (skip.action.startsWith('jump_') && skip.target_id === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['target_id'],
        message: requiredField(`with ${skip.action}`),
      });
    }
  })
  .meta({ id: 'SkipRule' });

/** On a page: when it is shown, and where its submission leads (first match wins, forward only). */
export const pageLogicSchema = z
  .strictObject({
    display: conditionSchema.optional(),
    skip: z.array(skipSchema).max(100).optional(),
  })
  .meta({ id: 'PageLogic' });

/** On a question: as on a page, and for its options by option_code; carry_forward takes options from an earlier question. */
export const questionLogicSchema = z
  .strictObject({
    display: conditionSchema.optional(),
    skip: z.array(skipSchema).max(100).optional(),
    options: z.record(z.string().regex(/^-?\d{1,10}$/, 'must be an option_code'), conditionSchema).optional(),
    carry_forward: z
      .strictObject({
        from: z.string().min(1).max(48),
        mode: z.enum(['selected', 'not_selected', 'shown']).default('selected'),
      })
      .optional(),
  })
  .meta({ id: 'QuestionLogic' });

export interface Skip {
  when: Condition;
  action: 'jump_to_page' | 'jump_to_question' | 'end_survey' | 'screen_out';
  /** A page_id or question_id, for the two jumps. */
  target_id?: number | undefined;
  /** Stored with the response that the rule ends. Never sent to a respondent. */
  reason?: string | undefined;
}

/** On a page: when it is shown, and where its submission leads (first match wins, forward only). */
export interface PageLogic {
  display?: Condition | undefined;
  skip?: Skip[] | undefined;
}

/** On a question: as on a page, and for its options by option_code; carry_forward takes options from an earlier question. */
export interface QuestionLogic extends PageLogic {
  options?: Record<string, Condition> | undefined;
  carry_forward?: { from: string; mode: 'selected' | 'not_selected' | 'shown' } | undefined;
}
