import { z } from 'zod';
import { conditionSchema } from './condition-schema.ts';
import { required } from '../../../lib/error-messages.ts';

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
      context.addIssue({ code: 'custom', path: ['target_id'], message: required(`with ${skip.action}`) });
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
