import { render } from 'preact';
import type { PageState } from '../page-state.ts';
import { App } from './app.tsx';
import { parseLinkParameters } from './link-parameters.ts';
import { reportHeight } from './frame.ts';
import { loadParts } from './arranger.ts';
import { loadMarkdown } from './formatted.tsx';
import { loadMedia } from './media.tsx';
import { loadOneQuestion } from './one-question.tsx';
import { loadOpening } from './opening.tsx';
import { Session, type Survey } from './session.ts';
import { PartMissing, Unavailable } from './endings.tsx';
import { directionOf, formatDateTime, initialLanguage, messagesOf } from './localization.ts';

const state = JSON.parse(document.getElementById('state')?.textContent ?? '') as PageState;
const root = document.getElementById('page') ?? document.body;

for (const [name, value] of Object.entries(state.theme))
  document.documentElement.style.setProperty(name, value);

reportHeight(document.body);

const link = parseLinkParameters(location);
/** The token gives access to the answers, so it is removed from the address bar. */
function removeToken(): void {
  if (link.resumeToken !== null) history.replaceState(null, '', location.pathname + location.search);
}

/** An await at the top of this module would wait for itself: the fields import from it. */
async function showSurvey(survey: Survey): Promise<void> {
  try {
    await Promise.all([
      loadParts(survey.definition),
      loadMedia(survey.definition),
      loadOpening(survey, link),
      loadOneQuestion(survey.settings),
      survey.hasMarkdown && loadMarkdown(),
    ]);
  } catch {
    // Browsers do not load a module again that they could not load, so only a new page helps.
    addEventListener('online', () => location.reload(), { once: true });
    const { default_language: standard, languages } = survey.settings;
    const language = initialLanguage([standard, ...languages], link.language);
    root.replaceChildren();
    render(<PartMissing messages={messagesOf(survey, language)} />, root);
    return;
  }
  removeToken();
  root.replaceChildren();
  render(<App session={new Session(survey, link)} />, root);
}

if (state.kind === 'survey') void showSurvey(state);
else void showReason(state);

/** Without what Markdown needs, the page shows its marks. */
async function showReason(state: Extract<PageState, { kind: 'unavailable' }>): Promise<void> {
  removeToken();
  if (state.hasMarkdown) await loadMarkdown().catch(() => null);
  root.replaceChildren();
  const { settings } = state;
  const language = initialLanguage([settings.default_language, ...settings.languages], link.language);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  const opensAt = state.opensAt === null ? null : formatDateTime(language, state.opensAt);
  render(
    <Unavailable
      reason={state.reason}
      opensAt={opensAt}
      settings={settings}
      language={language}
      messages={messagesOf(state, language)}
    />,
    root,
  );
}
