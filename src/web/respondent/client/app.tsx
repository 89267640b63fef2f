import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import { Consent } from './consent.tsx';
import { Finished, Sending, Unavailable } from './endings.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { QuestionBlock } from './question-block.tsx';
import type { Session } from './session.ts';
import { directionOf, fillPlaceholders, type TextLanguage } from './localization.ts';

/** Renders the session, again after each change. */
export function App({ session }: { session: Session }) {
  const [, rerender] = useReducer<number, void>((count) => count + 1, 0);
  useEffect(() => session.subscribe(() => rerender()), [session]);
  const { draft, messages } = session;
  useLayoutEffect(() => {
    document.documentElement.lang = draft.language;
    document.documentElement.dir = directionOf(draft.language);
  }, [draft.language]);

  if (session.isResuming) {
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
  if (draft.outcome !== null) return <Finished session={session} outcome={draft.outcome} />;
  if (draft.submitted) return <Sending session={session} />;
  return (
    <>
      <Header session={session} />
      {session.needsConsent ? <Consent session={session} /> : <SurveyPage session={session} />}
    </>
  );
}

function SurveyPage({ session }: { session: Session }) {
  const { messages, page, pageIndex, rendered, lastEvent, texts } = session;
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const handledEvents = useRef(lastEvent.count);
  const name = texts.text('survey_name', session.definition.name);
  const description = texts.text('survey_description', session.definition.description);
  const pageLabel = fillPlaceholders(messages.page_of, {
    n: pageIndex + 1,
    m: Math.max(1, rendered.pages.length),
  });
  const isFirst = pageIndex === 0;

  useEffect(() => {
    document.title = isFirst ? name : `${page?.title ?? pageLabel} · ${name}`;
  });
  useEffect(() => {
    if (handledEvents.current === lastEvent.count) return;
    handledEvents.current = lastEvent.count;
    if (lastEvent.kind === 'page') {
      scrollTo({ top: 0 });
      heading.current?.focus({ preventScroll: true });
    } else focusFirstProblem(form.current);
  });

  return (
    <main class="column">
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          session.next();
        }}
      >
        <div class="page" key={page?.page.id ?? 0}>
          {isFirst && (
            <div class="intro">
              <h1 ref={heading} tabIndex={-1} {...session.languageOf(texts.has('survey_name'))}>
                {name}
              </h1>
              {description !== null && (
                <p class="prose" {...session.languageOf(texts.has('survey_description'))}>
                  {description}
                </p>
              )}
              {session.settings.anonymous && <p class="note">{messages.anonymous}</p>}
            </div>
          )}
          {page !== null && page.title !== null && (
            <PageTitle
              level={isFirst ? 2 : 1}
              heading={heading}
              title={page.title}
              language={session.languageOf(page.texts.has('page_title'))}
            />
          )}
          {!isFirst && (page === null || page.title === null) && (
            <h1 ref={heading} tabIndex={-1} class="visually-hidden">
              {pageLabel}
            </h1>
          )}
          {page !== null && page.description !== null && (
            <p class="prose" {...session.languageOf(page.texts.has('page_description'))}>
              {page.description}
            </p>
          )}
          {page?.questions.map((view) => (
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
  heading,
  title,
  language,
}: {
  level: 1 | 2;
  heading: { current: HTMLHeadingElement | null };
  title: string;
  language: TextLanguage;
}) {
  if (level === 2)
    return (
      <h2 class="page-title" {...language}>
        {title}
      </h2>
    );
  return (
    <h1 ref={heading} tabIndex={-1} class="page-title" {...language}>
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
