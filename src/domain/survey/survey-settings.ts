import { z } from 'zod';
import { quote, sizeAtMost } from '../../lib/error-messages.ts';
import { settingsChangesSchema } from '../../lib/settings.ts';
import { getTimeZone, isTimeZone, TIME_ZONE_EXPECTED, UTC } from '../../lib/time-zone.ts';
import type { ResponseStatus } from '../responses/response-row.ts';
import { declaredHiddenNamesSchema } from './hidden-values.ts';
import { isHttpUrl } from '../../lib/urls.ts';
import { LOOK_DEFAULTS, lookShape } from './look.ts';
import { PRESENTATION_DEFAULTS, presentationShape } from './presentation-settings.ts';
import { SURVEY_STATUS, type SurveyStatus } from './status.ts';

const pageTranslation = z
  .strictObject({
    page_title: z.string().max(500).nullish(),
    page_description: z.string().max(5_000).nullish(),
  })
  .meta({ id: 'PageTranslation' });

const translation = z
  .strictObject({
    survey_name: z.string().max(500).nullish(),
    survey_description: z.string().max(10_000).nullish(),
    title: z.string().max(500).nullish(),
    welcome_title: z.string().max(500).nullish(),
    welcome_text: z.string().max(10_000).nullish(),
    welcome_image_alt: z.string().max(500).nullish(),
    welcome_button: z.string().max(100).nullish(),
    end_title: z.string().max(500).nullish(),
    end_image_alt: z.string().max(500).nullish(),
    end_button: z.string().max(100).nullish(),
    completion_message: z.string().max(5_000).nullish(),
    screened_out_message: z.string().max(5_000).nullish(),
    over_quota_message: z.string().max(5_000).nullish(),
    closed_message: z.string().max(5_000).nullish(),
    consent_text: z.string().max(20_000).nullish(),
    pages: z
      .record(z.string().regex(/^[1-9]\d{0,15}$/, 'must be a page_id'), pageTranslation)
      .optional()
      .describe('By page_id. Questions have their own translations in `question_settings`'),
  })
  .meta({ id: 'SurveyTranslation' });

const MAX_LANGUAGES = 50;
/** Of all languages, as JSON; questions have their own translations. Every respondent loads them. */
const MAX_TRANSLATION_CHARACTERS = 1_000_000;

/** By language: the survey's own texts. What is absent or null is shown in the default language. */
const surveyTranslationsSchema = (language: z.ZodString) =>
  z
    .record(language, translation)
    .refine((byLanguage) => Object.keys(byLanguage).length <= MAX_LANGUAGES, {
      error: sizeAtMost(MAX_LANGUAGES, 'language'),
    })
    .refine((byLanguage) => JSON.stringify(byLanguage).length <= MAX_TRANSLATION_CHARACTERS, {
      error: sizeAtMost(MAX_TRANSLATION_CHARACTERS, 'character'),
    });

type Stored = Readonly<Record<string, unknown>>;
type Translations = Record<string, z.infer<typeof translation>>;

/** Page ids that translations name, with the language that names them, in order. */
export function pagesWithTranslations(settings: Stored): { language: string; pageId: number }[] {
  return Object.entries(translationsOf(settings) ?? {}).flatMap(([language, { pages = {} }]) =>
    Object.keys(pages).map((pageId) => ({ language, pageId: Number(pageId) })),
  );
}

/** Returns the settings without translations of deleted pages. */
export function removePageTranslations(settings: Stored, isDeleted: (pageId: number) => boolean): Stored {
  return mapTranslatedPages(settings, (pageId) => (isDeleted(pageId) ? null : pageId));
}

/** Returns the settings with new page ids; every page id must be in the map. */
export function remapPageTranslations(settings: Stored, pageIds: ReadonlyMap<number, number>): Stored {
  return mapTranslatedPages(settings, (pageId) => {
    const id = pageIds.get(pageId);
    if (id === undefined) throw new Error(`No new id for page ${pageId}`);
    return id;
  });
}

/** If `newId` returns null, the translation of the page is removed. */
function mapTranslatedPages(settings: Stored, newId: (pageId: number) => number | null): Stored {
  const translations = translationsOf(settings);
  if (!translations) return settings;
  const moved = Object.entries(translations).map(([language, texts]) => {
    if (texts.pages === undefined) return [language, texts] as const;
    const pages = Object.entries(texts.pages).flatMap(([pageId, page]) => {
      const id = newId(Number(pageId));
      return id === null ? [] : [[String(id), page] as const];
    });
    return [language, { ...texts, pages: Object.fromEntries(pages) }] as const;
  });
  return { ...settings, translations: Object.fromEntries(moved) };
}

function translationsOf(settings: Stored): Translations | null {
  return (settings.translations as Translations | null | undefined) ?? null;
}

const language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag such as en or pt-BR');
/** Plain text, shown with its line breaks. */
const message = (shownWhen: string) =>
  z
    .string()
    .max(5_000)
    .nullable()
    .describe(`Plain text shown ${shownWhen}; null: a standard text in the respondent's language`);

/** Normalizes `https://Example.org/` to `https://example.org`; returns invalid text unchanged for the error message. */
function asOrigin(text: string): string {
  const trimmed = text.trim();
  return /^https?:\/\/[^/?#@]+\/?$/i.test(trimmed) && URL.canParse(trimmed) ? new URL(trimmed).origin : text;
}

/** The origin is written to a response header, so its characters are restricted. */
const ORIGIN = /^https?:\/\/([a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/;
const origin = z
  .string()
  .max(300)
  .overwrite(asOrigin)
  .regex(ORIGIN, 'must be an origin such as https://www.example.org');

const isoTimestamp = z.iso.datetime({ offset: true });
const isoDate = z.iso.date();
/** Without an offset: in the time zone of the survey. */
const isoLocal = z.iso.datetime({ local: true, precision: -1 });
const isMoment = (text: string): boolean =>
  [isoTimestamp, isoDate, isoLocal].some((schema) => schema.safeParse(text).success) &&
  !text.startsWith('0000');
/** A time with an offset as UTC; a date without a time stays, until the time zone is known. */
const asUtc = (text: string): string =>
  isoTimestamp.safeParse(text).success ? new Date(text).toISOString() : text;

/** A date means its last moment in the time zone of the survey, and a time without an offset is in that zone. */
const closingTime = z
  .string()
  .max(40)
  .refine(isMoment, {
    error: ({ input }) =>
      `must be a date such as 2026-03-01, or a time such as 2026-03-01T09:30 or 2026-03-01T09:30:00Z, not ${quote(String(input))}`,
  })
  .overwrite(asUtc)
  .meta({ override: { type: 'string', format: 'date-time' } });

const shape = {
  /** Responses are stored without IP address and respondent, and their times as days. */
  anonymous: z
    .boolean()
    .describe(
      'Responses are stored without IP address, fingerprint and respondent, so duplicates cannot be detected by these; ' +
        'times are stored rounded down to the day in `timezone`, and ids of a day are in no order. Only values of the link that `hidden_values` ' +
        'declares are stored, and images must be uploaded: otherwise publishing, or making a published survey anonymous, is refused (409 ' +
        '`undeclared_value`, `remote_image`). Once the survey has responses, this cannot be switched off, and `timezone` cannot be changed (409 `anonymous_promised`)',
    ),
  /** Hides figures of small groups from clients. */
  confidential: z
    .boolean()
    .describe(
      'Clients and viewers of public dashboards see rounded figures, and no groups of fewer than `min_base` respondents ' +
        'nor figures that would reveal them. Workspace members see everything',
    ),
  min_base: z
    .int()
    .min(3)
    .max(1_000)
    .describe('For a confidential survey: the smallest group that is shown. Default: 5'),
  /** The dominance rule of domain/charts/disclosure/protection.ts. */
  dominance_percent: z
    .int()
    .min(10)
    .max(1_000)
    .describe(
      'For a confidential survey: a sum or mean is hidden if one respondent contributes more than this percentage of the ' +
        'total of all others. Default: 50',
    ),
  timezone: z
    .string()
    .refine(isTimeZone, { error: TIME_ZONE_EXPECTED })
    .describe(
      'IANA time zone. Days, weeks and months in charts, insights, filters and reports follow it, as do dates without a ' +
        'time in waves and links; exports show times in it, and imports read times without an offset in it. A change does ' +
        'not alter stored times. Cannot be changed once an anonymous survey has responses (409 `anonymous_promised`)',
    ),
  default_language: language.describe('Language of the survey texts'),
  languages: z
    .array(language)
    .max(50)
    .describe('Further languages that respondents can choose; `publish-check` lists missing translations'),
  ...lookShape,
  layout: z
    .enum(['pages', 'one_question'])
    .describe(
      '`pages`: all questions of a page at once. `one_question`: each question on a separate screen, in the order of its page, with keys for ' +
        'the answers. Logic, times and data are the same: conditions apply at once, skips at the end of the page',
    ),
  show_progress: z.boolean().describe('Shows a progress bar, which counts what the answers so far lead to'),
  show_page_number: z
    .boolean()
    .describe('Shows the number of the page, such as "Page 2 of 6", or of the question'),
  allow_back: z
    .boolean()
    .describe('Shows a button to the previous page; the Back button of the browser shows that page too'),
  ...presentationShape,
  completion_message: message('when a response is complete'),
  screened_out_message: message('when a skip rule or a quality check screens a respondent out'),
  over_quota_message: message('when a quota or the link already has all its responses'),
  closed_message: message('when the survey or its wave is closed'),
  allow_restart: z
    .boolean()
    .describe(
      'Shows "Fill in the survey again" at the end of a response through an open link, so that several people can answer on one device',
    ),
  redirect_url: z
    .string()
    .refine(isHttpUrl, 'must be an http or https address')
    .nullable()
    .describe('Where respondents are redirected after the last page, unless the link has a redirect'),
  author_note: z
    .string()
    .max(2_000)
    .nullable()
    .describe(
      'Shown above the questions in the editor, such as what a template needs; respondents never see it',
    ),
  consent_text: z
    .string()
    .max(20_000)
    .nullable()
    .describe('Shown before the first page; respondents have to consent to start'),
  embed_origins: z
    .array(origin)
    .max(50)
    .describe('Other origins whose pages can embed the survey, such as https://www.example.org'),
  hidden_values: declaredHiddenNamesSchema.describe(
    'Names of values of the link (`?source=panel`) that responses store although no condition, text or quota uses them, such as for a ' +
      'later quota. Values that are neither declared nor used are dropped. An anonymous survey drops all that are not declared, and neither ' +
      'conditions, texts nor quotas can use them',
  ),
  previous_survey_id: z
    .int()
    .positive()
    .nullable()
    .describe(
      'The survey of the same workspace whose answers `{{previous.Q3}}` and conditions with `"type": "previous"` mean: those of the newest ' +
        'complete response of the same respondent. null: earlier responses to this survey, such as those of the wave before',
    ),
  closes_at: closingTime
    .nullable()
    .describe(
      'From then on no response can start, and respondents see `closed_message`; responses in progress may be completed for an hour. A date ' +
        'without a time includes that day in `timezone`, and a time without an offset is in `timezone`. null: open until the survey is closed',
    ),
  response_limit: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .nullable()
    .describe(
      'Maximum number of complete responses, over all links. Exact: a started response holds a place for 15 minutes after its last ' +
        'activity. Responses that an integration writes count, but are not refused. null: no limit',
    ),
  translations: surveyTranslationsSchema(language).describe(
    'Translated texts of the survey by language, page titles by page_id. Replaced as a whole: send every language and ' +
      'text',
  ),
};

export const surveySettingsSchema = z.strictObject(shape).meta({ id: 'SurveySettings' });
export const surveySettingsChangesSchema = settingsChangesSchema(shape);
export type SurveySettings = z.infer<typeof surveySettingsSchema>;

const DEFAULTS: SurveySettings = {
  anonymous: false,
  confidential: false,
  min_base: 5,
  dominance_percent: 50,
  timezone: UTC,
  default_language: 'en',
  languages: [],
  ...LOOK_DEFAULTS,
  layout: 'pages',
  show_progress: true,
  show_page_number: false,
  allow_back: true,
  ...PRESENTATION_DEFAULTS,
  completion_message: null,
  screened_out_message: null,
  over_quota_message: null,
  closed_message: null,
  allow_restart: false,
  redirect_url: null,
  author_note: null,
  consent_text: null,
  embed_origins: [],
  hidden_values: [],
  previous_survey_id: null,
  closes_at: null,
  response_limit: null,
  translations: {},
};

/** Settings of one fieldwork, which copies of the survey do not take over, like links and waves. */
export function withoutFieldwork({
  closes_at: _closesAt,
  response_limit: _limit,
  ...settings
}: Stored): Stored {
  return settings;
}

/** Returns the settings without the survey of the earlier answers: a file can come to another workspace, which does not have it. */
export function withoutPreviousSurvey({ previous_survey_id: _previous, ...settings }: Stored): Stored {
  return settings;
}

/** Returns changes of settings with a closing date as the end of that day, and a time without offset as UTC. `timeZone`: the one of the survey after the change. */
export function withClosingTime<Changes extends Stored>(changes: Changes, timeZone: string): Changes {
  const { closes_at: text } = changes;
  if (typeof text !== 'string') return changes;
  const isDate = isoDate.safeParse(text).success;
  if (!isDate && !isoLocal.safeParse(text).success) return changes;
  const localMs = isDate ? Date.parse(text) + DAY_MS : Date.parse(`${text}Z`);
  const end = getTimeZone(timeZone).instantMs(localMs);
  return { ...changes, closes_at: new Date(Math.min(end, LAST_MS)).toISOString() };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns the time from which no response can start; null: none. */
export function closingTimeOf(stored: unknown): Date | null {
  const { closes_at: text } = surveySettingsOf(stored);
  return text === null ? null : new Date(text);
}

/** Returns the status for respondents: an active survey is closed from its closing time on. */
export function surveyStatusAt(status: SurveyStatus, storedSettings: unknown, now: Date): SurveyStatus {
  const closesAt = closingTimeOf(storedSettings);
  const isOver = closesAt !== null && closesAt <= now;
  return status === SURVEY_STATUS.active && isOver ? SURVEY_STATUS.closed : status;
}

/** Merges stored settings, which hold only changed values, with the defaults. */
export function surveySettingsOf(stored: unknown): SurveySettings {
  return { ...DEFAULTS, ...(stored as Partial<SurveySettings>) };
}

/** The outcomes with redirects; `default` applies to outcomes without one. */
type RedirectKind = 'complete' | 'screen_out' | 'over_quota' | 'quality' | 'default';

/** Redirect URLs by outcome, with placeholders. */
export type Redirects = { [kind in RedirectKind]?: string | null | undefined };

/** What a redirect URL can contain; `signature` and `signed_at` are those of the exit, for panels. */
const PLACEHOLDERS = ['external_id', 'status', 'signed_at', 'signature'] as const;
const PLACEHOLDER = new RegExp(`\\{\\{(${PLACEHOLDERS.join('|')})\\}\\}`, 'g');

/** Returns why a text is not a valid redirect URL; null if it is valid. */
export function redirectProblem(template: string): string | null {
  const without = template.replaceAll(PLACEHOLDER, '');
  if (/[{}]/.test(without))
    return `may hold ${PLACEHOLDERS.map((name) => `{{${name}}}`).join(', ')}, and no other braces`;
  // No placeholder may change the host.
  const { origin } = isHttpUrl(template) ? new URL(template.replaceAll(PLACEHOLDER, 'x')) : { origin: null };
  if (origin === null || origin !== new URL(template.replaceAll(PLACEHOLDER, 'y')).origin) {
    return 'must be an http or https address';
  }
  return null;
}

/** Signs the exit of a respondent; `signedAt`: seconds since 1970. */
type ExitSigner = (exit: { externalId: string; status: string }) => { signedAt: number; signature: string };

/** Returns the redirect URL for a finished response; null: none. */
export function redirectUrlOf(
  response: { status: ResponseStatus; statusReason: string | null; externalId: string | null },
  redirects: Redirects,
  fallback: string | null,
  signExit: ExitSigner,
): string | null {
  if (response.status === 'partial') return null;
  const kind = response.status === 'complete' ? 'complete' : kindOf(response.statusReason);
  const template = redirects[kind] ?? redirects.default ?? fallback;
  if (template === null) return null;
  const externalId = (response.externalId ?? '').toWellFormed();
  const { signedAt, signature } = signExit({ externalId, status: kind });
  const values = new Map([
    ['external_id', encodeURIComponent(externalId).replaceAll("'", '%27')],
    ['status', kind],
    ['signed_at', String(signedAt)],
    ['signature', signature],
  ]);
  return template.replaceAll(PLACEHOLDER, (_, name: string) => values.get(name) ?? '');
}

function kindOf(reason: string | null): RedirectKind {
  return reason === 'screen_out' || reason === 'over_quota' || reason === 'quality' ? reason : 'default';
}

/** The settings that affect respondents; changes apply at once, without publishing. */
export const respondentSettingsSchema = surveySettingsSchema.pick({
  anonymous: true,
  default_language: true,
  languages: true,
  color: true,
  layout: true,
  show_progress: true,
  show_page_number: true,
  allow_back: true,
  welcome_title: true,
  welcome_text: true,
  welcome_image: true,
  welcome_image_alt: true,
  welcome_minutes: true,
  welcome_button: true,
  end_title: true,
  end_image: true,
  end_image_alt: true,
  end_button: true,
  end_url: true,
  completion_message: true,
  screened_out_message: true,
  over_quota_message: true,
  closed_message: true,
  allow_restart: true,
  consent_text: true,
  translations: true,
});
export type RespondentSettings = z.infer<typeof respondentSettingsSchema>;

/** Lists fields explicitly, so that other settings are never sent to respondents. */
export function respondentSettings(settings: SurveySettings): RespondentSettings {
  return {
    anonymous: settings.anonymous,
    default_language: settings.default_language,
    languages: settings.languages,
    color: settings.color,
    layout: settings.layout,
    show_progress: settings.show_progress,
    show_page_number: settings.show_page_number,
    allow_back: settings.allow_back,
    welcome_title: settings.welcome_title,
    welcome_text: settings.welcome_text,
    welcome_image: settings.welcome_image,
    welcome_image_alt: settings.welcome_image_alt,
    welcome_minutes: settings.welcome_minutes,
    welcome_button: settings.welcome_button,
    end_title: settings.end_title,
    end_image: settings.end_image,
    end_image_alt: settings.end_image_alt,
    end_button: settings.end_button,
    end_url: settings.end_url,
    completion_message: settings.completion_message,
    screened_out_message: settings.screened_out_message,
    over_quota_message: settings.over_quota_message,
    closed_message: settings.closed_message,
    allow_restart: settings.allow_restart,
    consent_text: settings.consent_text,
    translations: translationsWithTitle(settings),
  };
}

/** Returns the title of a survey for respondents. `name`: `survey_name`. */
export const respondentTitle = (name: string, { title }: Pick<SurveySettings, 'title'>): string =>
  title ?? name;

/** Returns the translations for respondents, who read the title as `survey_name`. They do not get the name of the project. */
function translationsWithTitle({ title, translations }: SurveySettings): SurveySettings['translations'] {
  if (title === null) return translations;
  return Object.fromEntries(
    Object.entries(translations).map(([tag, { title: translated, survey_name: _name, ...texts }]) => [
      tag,
      { ...texts, survey_name: translated ?? null },
    ]),
  );
}
