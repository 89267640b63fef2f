import type { Condition } from './condition.ts';

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
