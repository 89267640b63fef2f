import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { textsIn, translationFor } from '../../../domain/questions/localize.ts';
import type { RespondentSettings } from '../../../domain/survey/survey-settings.ts';
import type { Outcome } from './draft.ts';
import { saveStatus } from './footer.tsx';
import { Prose } from './formatted.tsx';
import type { Session } from './session.ts';
import { SurveyImage } from './survey-image.tsx';
import { fillPlaceholders, textLanguage, type TextLanguage, type Messages } from './localization.ts';

/** Time to read the text before the redirect. */
const REDIRECT_AFTER_MS = 2_500;

function EndPage({
  title,
  text,
  language = {},
  icon,
  image = null,
  messages,
  children,
}: {
  title: string;
  text: string;
  /** Language of the text, if it differs from that of the page. */
  language?: TextLanguage;
  icon?: 'done' | 'wait' | undefined;
  /** Above the heading, instead of the icon. */
  image?: ComponentChildren;
  messages: Messages;
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
      {image}
      {image === null && icon !== undefined && (
        <svg class={`outcome ${icon}`} viewBox="0 0 48 48" aria-hidden="true">
          <circle cx="24" cy="24" r="22" />
          {icon === 'done' && <path d="m14.5 24.8 6.6 6.6 12.6-14" />}
        </svg>
      )}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <Prose text={text} messages={messages} {...language} />
      {children}
    </main>
  );
}

/** The page while the last answers are sent. */
export function Sending({ session }: { session: Session }) {
  const { messages, outbox } = session;
  const waiting = outbox.state === 'waiting';
  return (
    <EndPage
      messages={messages}
      title={waiting ? messages.sending_offline : messages.sending}
      text={waiting ? messages.sending_offline_text : messages.sending_text}
      icon="wait"
    >
      <p class="save" role="status">
        {waiting ? saveStatus(session) : ''}
      </p>
      {waiting && (
        <button type="button" class="button" onClick={() => outbox.sendNow()}>
          {messages.file_retry}
        </button>
      )}
    </EndPage>
  );
}

type SurveyTextKey = 'completion_message' | 'screened_out_message' | 'over_quota_message' | 'closed_message';

/** Returns the survey's text for this end, or the standard text. */
function surveyTextOr(
  key: SurveyTextKey | null,
  standard: string,
  { settings, language }: { settings: RespondentSettings; language: string },
): { text: string; language?: TextLanguage } {
  const surveyText = key === null ? null : settings[key];
  if (key === null || surveyText === null || surveyText.trim() === '') return { text: standard };
  const texts = textsIn(translationFor(settings.translations, language));
  return {
    text: texts.text(key, surveyText),
    language: textLanguage(texts.has(key), language, settings.default_language),
  };
}

function outcomeText(
  { status, reason }: Outcome,
  { messages, isReturning }: Session,
): [title: string, text: string, key: SurveyTextKey] {
  if (status === 'complete' && isReturning)
    return [messages.already_submitted, messages.already_submitted_text, 'completion_message'];
  if (status === 'complete') return [messages.thanks, messages.thanks_text, 'completion_message'];
  if (reason === 'over_quota') return [messages.quota_full, messages.quota_full_text, 'over_quota_message'];
  return [messages.screened_out, messages.screened_out_text, 'screened_out_message'];
}

export function Finished({ session, outcome }: { session: Session; outcome: Outcome }) {
  const { messages, settings, draft } = session;
  const [title, standard, key] = outcomeText(outcome, session);
  const redirectUrl =
    outcome.redirectUrl !== null && /^https?:\/\//i.test(outcome.redirectUrl) ? outcome.redirectUrl : null;
  useEffect(() => {
    if (redirectUrl === null) return;
    const timer = setTimeout(() => location.assign(redirectUrl), REDIRECT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [redirectUrl]);
  const { texts } = session;
  const isComplete = outcome.status === 'complete';
  const ownTitle = isComplete && !session.isReturning ? settings.end_title : null;
  const link = isComplete && redirectUrl === null ? settings.end_url : null;
  const canRestart = settings.allow_restart && redirectUrl === null && session.survey.linkType === 'open';
  return (
    <EndPage
      messages={messages}
      title={ownTitle === null ? title : texts.text('end_title', ownTitle)}
      {...surveyTextOr(key, standard, { settings, language: draft.language })}
      icon={isComplete ? 'done' : undefined}
      image={isComplete && settings.end_image !== null ? <SurveyImage session={session} kind="end" /> : null}
    >
      {redirectUrl !== null && (
        <p>
          {messages.redirecting}{' '}
          <a href={redirectUrl} rel="noreferrer">
            {messages.continue_now}
          </a>
        </p>
      )}
      {link !== null && (
        // Other sites seldom allow frames.
        <a class="button primary" href={link} target="_top" rel="noreferrer">
          {texts.text('end_button', settings.end_button ?? messages.continue_now)}
        </a>
      )}
      {canRestart && (
        <button type="button" class="plain" onClick={() => session.startOver()}>
          {messages.answer_again}
        </button>
      )}
    </EndPage>
  );
}

/** Returns the text for a reason of the shell or an error code of the API. */
function unavailableText(
  reason: string,
  opensAt: string | null,
  messages: Messages,
): [title: string, text: string] {
  switch (reason) {
    case 'paused':
    case 'link_paused':
      return [messages.paused, messages.paused_text];
    case 'full':
    case 'quota_full':
      return [messages.full, messages.full_text];
    case 'already_answered':
      return [messages.answered, messages.answered_text];
    case 'expired':
    case 'link_expired':
    case 'link_deleted':
      return [messages.expired, messages.expired_text];
    case 'closed':
    case 'survey_closed':
      return [messages.closed, messages.closed_text];
    case 'wave_not_open':
      return [
        messages.wave_not_open,
        opensAt === null
          ? messages.wave_not_open_text
          : fillPlaceholders(messages.wave_opens_text, { n: opensAt }),
      ];
    case 'wave_ended':
      return [messages.wave_ended, messages.wave_ended_text];
    case 'signature_missing':
    case 'signature_invalid':
      return [messages.not_from_panel, messages.not_from_panel_text];
    case 'signature_expired':
      return [messages.panel_link_expired, messages.panel_link_expired_text];
    case 'signature_used':
      return [messages.panel_link_used, messages.panel_link_used_text];
    case 'response_ended':
      return [messages.already_submitted, messages.already_submitted_text];
    case 'response_missing':
      return [messages.response_missing, messages.response_missing_text];
    default:
      return [messages.not_found, messages.not_found_text];
  }
}

function unavailableTextKey(reason: string): SurveyTextKey | null {
  if (['closed', 'survey_closed', 'wave_ended'].includes(reason)) return 'closed_message';
  return ['full', 'quota_full'].includes(reason) ? 'over_quota_message' : null;
}

/** The page of a survey that cannot be answered, with the reason. */
/** Shown when a part of the page could not be loaded. */
export function PartMissing({ messages }: { messages: Messages }) {
  return (
    <EndPage messages={messages} title={messages.part_missing} text={messages.part_missing_text} icon="wait">
      <button type="button" class="button primary" onClick={() => location.reload()}>
        {messages.file_retry}
      </button>
    </EndPage>
  );
}

export function Unavailable({
  reason,
  opensAt = null,
  settings,
  language,
  messages,
  onStartOver,
}: {
  reason: string;
  /** Formatted in this language. */
  opensAt?: string | null;
  settings: RespondentSettings;
  language: string;
  messages: Messages;
  onStartOver?: () => void;
}) {
  const [title, standard] = unavailableText(reason, opensAt, messages);
  return (
    <EndPage
      messages={messages}
      title={title}
      {...surveyTextOr(unavailableTextKey(reason), standard, { settings, language })}
    >
      {onStartOver && (
        <button type="button" class="button primary" onClick={onStartOver}>
          {messages.start_over}
        </button>
      )}
    </EndPage>
  );
}
