import { useEffect } from 'preact/hooks';
import { fillPlaceholders, formatMinutes } from './localization.ts';
import { Prose } from './formatted.tsx';
import type { Session } from './session.ts';
import { SurveyImage } from './survey-image.tsx';

/** The page before the consent and the first question. */
export function Welcome({ session }: { session: Session }) {
  const { messages, texts, settings, definition } = session;
  const name = texts.text('survey_name', definition.name);
  const hasTitle = settings.welcome_title !== null;
  const text = settings.welcome_text ?? definition.description;
  const textKey = settings.welcome_text === null ? 'survey_description' : 'welcome_text';
  useEffect(() => {
    document.title = name;
  });
  return (
    <main class="column">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          session.leaveWelcome();
        }}
      >
        <div class="page intro welcome">
          <SurveyImage session={session} kind="welcome" />
          <h1 tabIndex={-1} {...session.languageOf(texts.has(hasTitle ? 'welcome_title' : 'survey_name'))}>
            {hasTitle ? texts.text('welcome_title', settings.welcome_title) : name}
          </h1>
          {text !== null && (
            <Prose
              text={texts.text(textKey, text)}
              messages={messages}
              {...session.languageOf(texts.has(textKey))}
            />
          )}
          {settings.welcome_minutes !== null && (
            <p class="prose">
              {fillPlaceholders(messages.duration, { n: formatMinutes(messages, settings.welcome_minutes) })}
            </p>
          )}
          {settings.anonymous && <p class="note">{messages.anonymous}</p>}
        </div>
        <footer>
          <div class="buttons">
            <button
              type="submit"
              class="button primary"
              {...session.languageOf(settings.welcome_button === null || texts.has('welcome_button'))}
            >
              {texts.text('welcome_button', settings.welcome_button ?? messages.start)}
            </button>
          </div>
        </footer>
      </form>
    </main>
  );
}
