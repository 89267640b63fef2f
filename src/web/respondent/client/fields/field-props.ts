import type { QuestionView } from '../../../../domain/survey/logic/render-survey.ts';
import type { Session } from '../session.ts';
import type { Messages } from '../localization.ts';

/** Props of all fields. */
export interface FieldProps {
  view: QuestionView;
  input: unknown;
  onInput: (input: unknown) => void;
  messages: Messages;
  /** Id of the control, or prefix of the ids of several controls. */
  id: string;
  /** Value of aria-describedby. */
  describedBy: string | undefined;
  invalid: boolean;
  session: Session;
}
