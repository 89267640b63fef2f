import type { Session } from './session.ts';
import { fillPlaceholders, languageName } from './localization.ts';

/** The progress bar, the name of the survey on later pages, and the language menu. */
export function Header({ session }: { session: Session }) {
  const { messages, settings, languages, draft, rendered, pageIndex, texts } = session;
  const pages = Math.max(1, rendered.pages.length);
  const completedPages = session.needsConsent ? 0 : pageIndex;
  const name = texts.text('survey_name', session.definition.name);
  const hasSeveralLanguages = languages.length > 1;
  const showsName = pageIndex > 0 || session.needsConsent;
  return (
    <header>
      {settings.show_progress && (
        <div
          class="progress"
          role="progressbar"
          aria-label={messages.progress}
          aria-valuemin={0}
          aria-valuemax={pages}
          aria-valuenow={completedPages}
          aria-valuetext={fillPlaceholders(messages.page_of, {
            n: Math.min(completedPages + 1, pages),
            m: pages,
          })}
        >
          <div style={{ inlineSize: `${(100 * (completedPages + 0.15)) / (pages + 0.15)}%` }} />
        </div>
      )}
      {(showsName || hasSeveralLanguages) && (
        <div class="column bar">
          <p class="name" {...session.languageOf(texts.has('survey_name'))}>
            {showsName ? name : ''}
          </p>
          {hasSeveralLanguages && (
            <label class="language">
              <span class="visually-hidden">{messages.language}</span>
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 0c2.5 2.4 3.8 5.5 3.8 9s-1.3 6.6-3.8 9c-2.5-2.4-3.8-5.5-3.8-9S9.5 5.4 12 3ZM3.500 9h17M3.500 15h17" />
              </svg>
              <select
                value={draft.language}
                onChange={(event) => session.setLanguage(event.currentTarget.value)}
              >
                {languages.map((language) => (
                  <option key={language} value={language} lang={language}>
                    {languageName(language)}
                  </option>
                ))}
              </select>
            </label>
          )}
        </div>
      )}
    </header>
  );
}
