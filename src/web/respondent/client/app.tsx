import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import { Finished, Sending, Unavailable } from './endings.tsx';
import { Footer } from './footer.tsx';
import { scrollToTop } from './frame.ts';
import { focusTarget } from './one-question.tsx';
import { OpeningPage } from './opening.tsx';
import { QuestionBlock } from './question-block.tsx';
import { Formatted, Prose } from './formatted.tsx';
import type { Session } from './session.ts';
import { directionOf, languageName, type TextLanguage } from './localization.ts';

/** Renders the session, again after each change. */
export function App({ session }: { session: Session }) {
  const [, rerender] = useReducer<number, void>((count) => count + 1, 0);
  useEffect(() => session.subscribe(() => rerender()), [session]);
  const { draft, messages } = session;
  useHeadingFocus(session);
  useLayoutEffect(() => {
    document.documentElement.lang = draft.language;
    document.documentElement.dir = directionOf(draft.language);
  }, [draft.language]);

  if (session.isResuming || session.isAwaitingPage) {
    return (
      <main class="column notice">
        <p role="status">{messages.loading}</p>
      </main>
    );
  }
  return (
    <>
      {session.survey.preview && <p class="ribbon">{messages.preview}</p>}
      <Body session={session} />
    </>
  );
}

/** After each change of the page its top is in view, and its heading or its question has the focus. */
function useHeadingFocus({ lastEvent: { count, kind } }: Session): void {
  const handled = useRef(count);
  useEffect(() => {
    if (handled.current === count) return;
    handled.current = count;
    if (kind !== 'page') return;
    scrollToTop();
    focusTarget()?.focus({ preventScroll: true });
  });
}

function Body({ session }: { session: Session }) {
  const { draft, messages, settings } = session;
  if (session.unavailableCode !== null) {
    return (
      <Unavailable
        reason={session.unavailableCode}
        settings={settings}
        language={draft.language}
        messages={messages}
        {...(session.unavailableCode === 'response_missing'
          ? { onStartOver: () => session.startOver() }
          : {})}
      />
    );
  }
  if (session.offer !== null) return <OpeningPage session={session} />;
  if (draft.outcome !== null) return <Finished session={session} outcome={draft.outcome} />;
  if (draft.submitted) return <Sending session={session} />;
  return (
    <>
      {session.isClosed && (
        <p class="closing" role="status">
          {messages.closed_begun}
        </p>
      )}
      <Header session={session} />
      {session.isWelcoming || session.needsConsent ? (
        <OpeningPage session={session} />
      ) : (
        <SurveyPage session={session} />
      )}
    </>
  );
}

/** The progress bar, the name of the survey on later pages, and the language menu. */
function Header({ session }: { session: Session }) {
  const { messages, settings, languages, draft, screenIndex, texts } = session;
  const isBeforePages = session.isWelcoming || session.needsConsent;
  const progress = isBeforePages ? 0 : session.progress;
  const name = texts.text('survey_name', session.definition.name);
  const hasSeveralLanguages = languages.length > 1;
  const showsName = !session.isWelcoming && (screenIndex > 0 || session.needsConsent || session.hasWelcome);
  const screenText = session.screenText;
  const showsNumber = settings.show_page_number && !isBeforePages;
  return (
    <header>
      {settings.show_progress && (
        <div
          class="progress"
          role="progressbar"
          aria-label={messages.progress}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(100 * progress)}
          aria-valuetext={screenText}
        >
          <div style={{ inlineSize: `${2 + 98 * progress}%` }} />
        </div>
      )}
      {(showsName || showsNumber || hasSeveralLanguages) && (
        <div class="column bar">
          <p class="name" {...session.languageOf(texts.has('survey_name'))}>
            {showsName ? name : ''}
          </p>
          {showsNumber && <p class="page-number">{screenText}</p>}
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

function SurveyPage({ session }: { session: Session }) {
  const { messages, screen, screens, screenIndex, lastEvent, texts, screenText } = session;
  const page = screen?.page ?? null;
  const form = useRef<HTMLFormElement>(null);
  const handledEvents = useRef(lastEvent.count);
  const name = texts.text('survey_name', session.definition.name);
  const description = texts.text('survey_description', session.definition.description);
  /** Whether the title of the survey is the heading. A welcome page has it instead. */
  const isFirst = screenIndex === 0 && !session.hasWelcome;
  /** Whether the screen is a further question of its page. */
  const isContinued = page !== null && screens[screenIndex - 1]?.page === page;
  const isOneQuestion = session.settings.layout === 'one_question';

  useEffect(() => {
    const heading = (isOneQuestion ? null : page?.title) ?? screenText;
    document.title = isFirst ? name : `${heading} · ${name}`;
  });
  useEffect(() => {
    // The second click of a double click leaves the focus at the heading of the new page, wherever on it the pointer is.
    const keepFocus = (event: MouseEvent) => {
      const isOnButton = event.target instanceof Element && event.target.closest('.buttons') !== null;
      if (session.isPageNew && (event.detail > 1 || isOnButton)) event.preventDefault();
    };
    addEventListener('mousedown', keepFocus);
    return () => removeEventListener('mousedown', keepFocus);
  }, [session]);
  useEffect(() => {
    if (handledEvents.current === lastEvent.count) return;
    handledEvents.current = lastEvent.count;
    if (lastEvent.kind === 'problems') focusFirstProblem(form.current);
  });

  return (
    <main class={`column${isOneQuestion ? ' one-question' : ''}`}>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          session.next();
        }}
      >
        <div class="page" key={screen?.key}>
          {isFirst && (
            <div class="intro">
              <h1 tabIndex={-1} {...session.languageOf(texts.has('survey_name'))}>
                {name}
              </h1>
              {description !== null && (
                <Prose
                  text={description}
                  messages={messages}
                  {...session.languageOf(texts.has('survey_description'))}
                />
              )}
              {session.settings.anonymous && <p class="note">{messages.anonymous}</p>}
            </div>
          )}
          {page !== null && page.title !== null && (
            <PageTitle
              level={isFirst ? 2 : 1}
              isContinued={isContinued}
              title={page.title}
              language={session.languageOf(page.texts.has('page_title'))}
            />
          )}
          {!isFirst && (page === null || page.title === null) && (
            <h1 tabIndex={-1} class="visually-hidden">
              {screenText}
            </h1>
          )}
          {page !== null && page.description !== null && !isContinued && (
            <div class="prose" {...session.languageOf(page.texts.has('page_description'))}>
              <Formatted
                text={page.description}
                nodes={page.formatted.get('page_description')}
                messages={messages}
              />
            </div>
          )}
          {screen?.questions
            .filter(({ question }) => question.cell === undefined)
            .map((view) => (
              <QuestionBlock key={view.question.code} session={session} view={view} />
            ))}
        </div>
        <Footer session={session} />
      </form>
    </main>
  );
}

function PageTitle({
  level,
  title,
  isContinued,
  language,
}: {
  level: 1 | 2;
  title: string;
  isContinued: boolean;
  language: TextLanguage;
}) {
  const className = `page-title${isContinued ? ' continued' : ''}`;
  if (level === 2)
    return (
      <h2 class={className} {...language}>
        {title}
      </h2>
    );
  return (
    <h1 tabIndex={-1} class={className} {...language}>
      {title}
    </h1>
  );
}

function focusFirstProblem(form: HTMLFormElement | null): void {
  const block = form?.querySelector('.question.wrong');
  const control =
    block?.querySelector<HTMLElement>('[aria-invalid=true]:is(input,select,textarea):not(:disabled)') ??
    block?.querySelector<HTMLElement>('input:checked,input:not(:disabled),select,textarea,button');
  control?.focus({ preventScroll: true });
  block?.scrollIntoView({ block: 'start', behavior: 'instant' });
}
