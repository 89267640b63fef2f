import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from './session.ts';

/** The consent page before the first question. */
export function Consent({ session }: { session: Session }) {
  const { messages, texts, settings } = session;
  const [hasAgreed, setHasAgreed] = useState(false);
  const [hasError, setHasError] = useState(false);
  const checkbox = useRef<HTMLInputElement>(null);
  const name = texts.text('survey_name', session.definition.name);
  useEffect(() => {
    document.title = name;
  });
  return (
    <main class="column">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (hasAgreed) session.giveConsent();
          else {
            setHasError(true);
            checkbox.current?.focus();
          }
        }}
      >
        <div class="page">
          <h1>{messages.consent_title}</h1>
          <p class="prose" {...session.languageOf(texts.has('consent_text'))}>
            {texts.text('consent_text', settings.consent_text)}
          </p>
          {settings.anonymous && <p class="note">{messages.anonymous}</p>}
          <div class={`question${hasError && !hasAgreed ? ' wrong' : ''}`}>
            <label class="choice">
              <input
                ref={checkbox}
                type="checkbox"
                checked={hasAgreed}
                aria-required="true"
                aria-invalid={hasError && !hasAgreed}
                aria-describedby={hasError && !hasAgreed ? 'consent-problem' : undefined}
                onChange={(event) => setHasAgreed(event.currentTarget.checked)}
              />
              <span class="label">{messages.agree}</span>
            </label>
            {hasError && !hasAgreed && (
              <p class="problem" id="consent-problem">
                {messages.consent_needed}
              </p>
            )}
          </div>
        </div>
        <footer>
          <div class="buttons">
            <button type="submit" class="main">
              {messages.start}
            </button>
          </div>
        </footer>
      </form>
    </main>
  );
}
