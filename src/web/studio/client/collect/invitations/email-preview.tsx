import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../../shared/client/api.ts';
import { errorMessage } from '../../../../shared/client/form-errors.ts';
import { texts } from '../../../texts.ts';
import { changeApi, type Schema } from '../../data/api.ts';

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
      {shown !== null && (
        <div class="email-frame">
          <p class="email-subject">{shown.subject}</p>
          <EmailBody html={shown.html} />
        </div>
      )}
    </section>
  );
}

/**
 * Shows the HTML of an email in a shadow tree, apart from the styles of the page. The content policy forbids style attributes in HTML, but
 * not styles that a script sets.
 */
function EmailBody({ html }: { html: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const parsed = new DOMParser().parseFromString(
      html.replaceAll(/ style="/g, ' data-style="'),
      'text/html',
    );
    const body = document.createElement('div');
    body.append(...parsed.body.childNodes);
    for (const element of body.querySelectorAll<HTMLElement>('[data-style]')) {
      element.style.cssText = element.dataset.style ?? '';
      delete element.dataset.style;
    }
    // A preview: its links lead nowhere.
    for (const link of body.querySelectorAll('a')) link.removeAttribute('href');
    root.replaceChildren(body);
  }, [html]);
  return <div class="email-body" ref={host} />;
}
