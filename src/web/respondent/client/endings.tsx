import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { textsIn, translationFor } from '../../../domain/survey/logic/localize.ts';
import type { RespondentSettings } from '../../../domain/survey/settings/respondent-settings.ts';
import type { Outcome } from './draft.ts';
import { saveWords } from './save-words.ts';
import type { Session } from './session.ts';
import { fill, languageOfText, type TextLanguage, type Words } from './words.ts';

/** Time to read a word of thanks before the browser goes on. */
const REDIRECT_AFTER_MS = 2_500;

function Notice({
  title,
  text,
  language = {},
  mark,
  children,
}: {
  title: string;
  text: string;
  /** Of the text, where it is not in the language of the page. */
  language?: TextLanguage;
  mark?: 'done' | 'wait' | undefined;
  children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
    scrollTo({ top: 0 });
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <main class="column notice">
      {mark !== undefined && (
        <svg class={`mark ${mark}`} viewBox="0 0 48 48" aria-hidden="true">
          <circle cx="24" cy="24" r="22" />
          {mark === 'done' && <path d="m14.5 24.8 6.6 6.6 12.6-14" />}
        </svg>
      )}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p class="prose" {...language}>
        {text}
      </p>
      {children}
    </main>
  );
}

/** The last page was handed in and is on its way. */
export function Sending({ session }: { session: Session }) {
  const { words, outbox } = session;
  const waiting = outbox.state === 'waiting';
  return (
    <Notice
      title={waiting ? words.sending_offline : words.sending}
      text={waiting ? words.sending_offline_text : words.sending_text}
      mark="wait"
    >
      <p class="save" role="status">
        {waiting ? saveWords(session) : ''}
      </p>
      {waiting && (
        <button type="button" class="quiet" onClick={() => outbox.kick()}>
          {words.file_retry}
        </button>
      )}
    </Notice>
  );
}

type EndText = 'completion_message' | 'screened_out_message' | 'over_quota_message' | 'closed_message';

/** The survey's own text for this end, else the standard one. */
function endText(
  key: EndText | null,
  standard: string,
  settings: RespondentSettings,
  language: string,
): { text: string; language?: TextLanguage } {
  const written = key === null ? null : settings[key];
  if (key === null || written === null || written.trim() === '') return { text: standard };
  const texts = textsIn(translationFor(settings.translations, language));
  return {
    text: texts.text(key, written),
    language: languageOfText(texts.has(key), language, settings.default_language),
  };
}

function endingWords({ status, reason }: Outcome, words: Words): [title: string, text: string, key: EndText] {
  if (status === 'complete') return [words.thanks, words.thanks_text, 'completion_message'];
  if (reason === 'over_quota') return [words.quota_full, words.quota_full_text, 'over_quota_message'];
  return [words.screened_out, words.screened_out_text, 'screened_out_message'];
}

export function Ended({ session, outcome }: { session: Session; outcome: Outcome }) {
  const { words, settings, draft } = session;
  const [title, standard, key] = endingWords(outcome, words);
  const goal =
    outcome.redirectUrl !== null && /^https?:\/\//i.test(outcome.redirectUrl) ? outcome.redirectUrl : null;
  useEffect(() => {
    if (goal === null) return;
    const timer = setTimeout(() => location.assign(goal), REDIRECT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [goal]);
  const mayRestart =
    settings.allow_restart &&
    goal === null &&
    outcome.status === 'complete' &&
    session.survey.linkType === 'open';
  return (
    <Notice
      title={title}
      {...endText(key, standard, settings, draft.language)}
      mark={outcome.status === 'complete' ? 'done' : undefined}
    >
      {goal !== null && (
        <p>
          {words.redirecting}{' '}
          <a href={goal} rel="noreferrer">
            {words.go_on}
          </a>
        </p>
      )}
      {mayRestart && (
        <button type="button" class="plain" onClick={() => session.anew()}>
          {words.again}
        </button>
      )}
    </Notice>
  );
}

/** The reasons of a link, and the codes with which the server refuses later on. */
function shutWords(reason: string, opensAt: string | null, words: Words): [title: string, text: string] {
  switch (reason) {
    case 'paused':
    case 'link_paused':
      return [words.paused, words.paused_text];
    case 'full':
    case 'quota_full':
      return [words.full, words.full_text];
    case 'already_answered':
      return [words.answered, words.answered_text];
    case 'expired':
    case 'link_expired':
    case 'link_deleted':
      return [words.expired, words.expired_text];
    case 'closed':
    case 'survey_closed':
      return [words.closed, words.closed_text];
    case 'wave_not_open':
      return [
        words.wave_not_open,
        opensAt === null ? words.wave_not_open_text : fill(words.wave_opens_text, { n: opensAt }),
      ];
    case 'wave_ended':
      return [words.wave_ended, words.wave_ended_text];
    case 'response_ended':
      return [words.ended, words.ended_text];
    case 'response_missing':
      return [words.response_missing, words.response_missing_text];
    default:
      return [words.not_found, words.not_found_text];
  }
}

function shutTextKey(reason: string): EndText | null {
  if (['closed', 'survey_closed', 'wave_ended'].includes(reason)) return 'closed_message';
  return ['full', 'quota_full'].includes(reason) ? 'over_quota_message' : null;
}

/** Nothing can be answered here, and why. */
export function Shut({
  reason,
  opensAt = null,
  settings,
  language,
  words,
  onAnew,
}: {
  reason: string;
  /** In the words of the language. */
  opensAt?: string | null;
  settings: RespondentSettings;
  language: string;
  words: Words;
  onAnew?: () => void;
}) {
  const [title, standard] = shutWords(reason, opensAt, words);
  return (
    <Notice title={title} {...endText(shutTextKey(reason), standard, settings, language)}>
      {onAnew && (
        <button type="button" class="main" onClick={onAnew}>
          {words.begin_anew}
        </button>
      )}
    </Notice>
  );
}
