import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from './session.ts';

/** The consent page before the first question. */
export function Consent({ session }: { session: Session }) {
  const { messages, texts, settings } = session;
  const [agreed, setAgreed] = useState(false);
  const [wrong, setWrong] = useState(false);
  const box = useRef<HTMLInputElement>(null);
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
          if (agreed) session.agree();
          else {
            setWrong(true);
            box.current?.focus();
          }
        }}
      >
        <div class="page">
          <h1>{messages.consent_title}</h1>
          <p class="prose" {...session.languageOf(texts.has('consent_text'))}>
            {texts.text('consent_text', settings.consent_text)}
          </p>
          {settings.anonymous && <p class="note">{messages.anonymous}</p>}
          <div class={`question${wrong && !agreed ? ' wrong' : ''}`}>
            <label class="choice">
              <input
                ref={box}
                type="checkbox"
                checked={agreed}
                aria-required="true"
                aria-invalid={wrong && !agreed}
                aria-describedby={wrong && !agreed ? 'consent-problem' : undefined}
                onChange={(event) => setAgreed(event.currentTarget.checked)}
              />
              <span class="label">{messages.agree}</span>
            </label>
            {wrong && !agreed && (
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
