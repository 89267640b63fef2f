import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../../shared/client/api.ts';
import { errorMessage } from '../../../../shared/client/form-errors.ts';
import { texts } from '../../../texts.ts';
import { changeApi, type Schema } from '../../data/api.ts';
import { EmailFrame } from './email-frame.tsx';

type Preview = Schema<'InvitationPreview'>;

const t = texts.invitations;
const DELAY_MS = 500;

/** What the email says before its variables are filled in; empty: the default. */
export interface EmailTexts {
  subject: string;
  message: string;
}

/** Asks the API for the email; `send`: also sends it to the user. */
export const previewEmail = (
  surveyId: number,
  { subject, message }: EmailTexts,
  { attributes = [], send = false }: { attributes?: readonly string[]; send?: boolean },
): Promise<Preview> =>
  changeApi('post', '/api/surveys/{surveyId}/invite/preview', {
    path: { surveyId },
    body: {
      ...(subject.trim() === '' ? {} : { subject }),
      ...(message.trim() === '' ? {} : { message }),
      recipient: { attributes: Object.fromEntries(attributes.map((name) => [name, `[${name}]`])) },
      send,
    },
  });

/** The email as recipients get it, a moment after the user pauses typing. */
export function EmailPreview({
  surveyId,
  email,
  attributes,
}: {
  surveyId: number;
  email: EmailTexts;
  attributes: readonly string[];
}) {
  const [shown, setShown] = useState<Preview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { subject, message } = email;
  const names = attributes.join('\n');
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      try {
        const preview = await previewEmail(surveyId, { subject, message }, { attributes });
        if (!isCurrent) return;
        setShown(preview);
        setProblem(null);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (isCurrent) setProblem(errorMessage(error));
      }
    };
    const timer = setTimeout(() => void load(), shown === null ? 0 : DELAY_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [surveyId, subject, message, names]);
  return (
    <section class="email-preview" aria-label={t.previewOf}>
      <h3>{t.preview}</h3>
      {problem !== null && (
        <p class="problem" role="status">
          {problem}
        </p>
      )}
      {shown !== null && <EmailFrame subject={shown.subject} html={shown.html} />}
    </section>
  );
}
