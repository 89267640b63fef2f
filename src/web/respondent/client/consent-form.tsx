import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Prose } from './formatted.tsx';
import type { Session } from './session.ts';

/** The consent text with the box to agree, if the survey asks for consent, and the buttons below it. */
export function ConsentForm({
  session,
  heading,
  text,
  submit,
  onAgree,
  children,
}: {
  session: Session;
  heading: string;
  /** Follows the heading. */
  text?: string;
  /** The text of the submit button. */
  submit: string;
  onAgree: () => void;
  /** Further buttons. */
  children?: ComponentChildren;
}) {
  const { messages, texts, settings } = session;
  const asksConsent = settings.consent_text !== null;
  const [hasAgreed, setHasAgreed] = useState(false);
  const [hasError, setHasError] = useState(false);
  const checkbox = useRef<HTMLInputElement>(null);
  const isWrong = hasError && !hasAgreed;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (hasAgreed || !asksConsent) onAgree();
        else {
          setHasError(true);
          checkbox.current?.focus();
        }
      }}
    >
      <div class="page">
        <h1 tabIndex={-1}>{heading}</h1>
        {text !== undefined && <p class="prose">{text}</p>}
        {asksConsent && (
          <Prose
            text={texts.text('consent_text', settings.consent_text ?? '')}
            messages={messages}
            {...session.languageOf(texts.has('consent_text'))}
          />
        )}
        {settings.anonymous && <p class="note">{messages.anonymous}</p>}
        {asksConsent && (
          <div class={`question${isWrong ? ' wrong' : ''}`}>
            <label class="choice">
              <input
                ref={checkbox}
                type="checkbox"
                checked={hasAgreed}
                aria-required="true"
                aria-invalid={isWrong}
                aria-describedby={isWrong ? 'consent-problem' : undefined}
                onChange={(event) => setHasAgreed(event.currentTarget.checked)}
              />
              <span class="label">{messages.agree}</span>
            </label>
            {isWrong && (
              <p class="problem" id="consent-problem">
                {messages.consent_needed}
              </p>
            )}
          </div>
        )}
      </div>
      <footer>
        <div class="buttons">
          {children}
          <button type="submit" class="button primary">
            {submit}
          </button>
        </div>
      </footer>
    </form>
  );
}
