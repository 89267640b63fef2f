import type { QuestionView } from '../../../../domain/survey/logic/render-survey.ts';
import type { Session } from '../session.ts';
import type { Messages } from '../localization.ts';

/** What every field is given. */
export interface FieldProps {
  view: QuestionView;
  input: unknown;
  onInput: (input: unknown) => void;
  messages: Messages;
  /** Of the one control, where a field has one. */
  id: string;
  /** Ids of what describes it, for aria-describedby. */
  describedBy: string | undefined;
  invalid: boolean;
  session: Session;
}
