import { type RequestHandler, type Response, Router } from 'express';
import { sendBody } from '../../http/compress-reply.ts';
import { plainText } from '../../domain/markdown/parse-markdown.ts';
import { usesMarkdown } from '../../domain/markdown/uses-markdown.ts';
import { questionsOf } from '../../domain/survey/definition.ts';
import { isHttpUrl } from '../../lib/urls.ts';
import { IMAGE_SETTINGS } from '../../domain/survey/presentation-settings.ts';
import {
  type RespondentSettings,
  respondentSettings,
  type SurveySettings,
} from '../../domain/survey/survey-settings.ts';
import type { EntryClaim } from '../../services/collection/panel-entries.ts';
import type { RespondentPage, RespondentPageService } from '../../services/collection/respondent-pages.ts';
import { contentPolicy, renderDocument } from '../shared/document.ts';
import { type Html, html, trustedHtml } from '../shared/html.ts';
import { loadPageFiles } from '../shared/page-assets.ts';
import { ar } from './locales/ar.ts';
import { de } from './locales/de.ts';
import { en, type Messages } from './locales/en.ts';
import { es } from './locales/es.ts';
import { fr } from './locales/fr.ts';
import { pt } from './locales/pt.ts';
import type { PageState, UnavailableReason } from './page-state.ts';
import { createTheme } from './theme.ts';

const LOCALES = new Map<string, Messages>(Object.entries({ en, de, es, fr, pt, ar }));

/** Returns the texts of the page in these languages, by language; English for languages without a locale. */
export function messagesIn(languages: readonly string[]): Record<string, Messages> {
  return Object.fromEntries(
    languages.map((language) => [language, LOCALES.get(language.toLowerCase().replace(/-.*/s, '')) ?? en]),
  );
}

/**
 * Sets the content security policy. The page loads resources only from this server, except images of questions and options, whose URLs the author chose.
 * Only pages of this server and of `embedOrigins` may embed it.
 */
function setPagePolicy(response: Response, state: PageState, settings: RespondentPage['settings']): void {
  const { embed_origins: embedOrigins, anonymous } = settings;
  const policy = contentPolicy({
    'media-src': "'self'",
    'frame-ancestors': ["'self'", ...embedOrigins].join(' '),
    'img-src': ["'self'", 'data:', ...(anonymous ? [] : pictureOrigins(state, settings))].join(' '),
  });
  response.setHeader('Content-Security-Policy', policy);
  // X-Frame-Options cannot list several origins; frame-ancestors replaces it.
  response.removeHeader('X-Frame-Options');
}

/** Excludes hosts with `;` or `,`, which would end the directive. */
const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]+$/;

function pictureOrigins(state: PageState, surveySettings: SurveySettings): string[] {
  const images = state.kind === 'survey' ? questionsOf(state.definition) : [];
  const origins = images
    .flatMap(({ settings, options }) => [settings.image_url, ...options.map(({ image }) => image)])
    .concat(IMAGE_SETTINGS.map((name) => surveySettings[name]))
    .flatMap((image) => (image !== null && isHttpUrl(image) ? [new URL(image).origin] : []));
  return [...new Set(origins)].filter((origin) => PLAIN_ORIGIN.test(origin));
}

const STATUSES: Record<UnavailableReason, number> = {
  not_found: 404,
  expired: 410,
  closed: 409,
  paused: 409,
  full: 409,
  wave_not_open: 409,
  wave_ended: 409,
  already_answered: 409,
  signature_missing: 403,
  signature_invalid: 403,
  signature_expired: 410,
  signature_used: 410,
};

const files = loadPageFiles('respondent');

/** The router of `/s/<token>`, the pages of respondents. It is mounted at `/s`. */
export function createRespondentRouter(pages: RespondentPageService): Router {
  const shell: RequestHandler<{ token: string }> = async (request, response) => {
    const page = await pages.open(request.params.token, entryClaimOf(request.originalUrl));
    const state = createPageState(page);
    setPagePolicy(response, state, page.settings);
    response.status(statusOf(state)).setHeader('Cache-Control', 'no-store').type('html');
    sendBody(
      response,
      renderShell(state, {
        assetsPath: `${request.baseUrl}/assets`,
        origin: `${request.protocol}://${request.host}`,
        path: request.originalUrl,
        surveySettings: page.settings,
      }),
    );
  };

  const router = Router();
  router.get('/assets/:file', files.send);
  router.get('/preview/:token', shell);
  router.get('/:token', shell);
  return router;
}

/** Of several values of a parameter the last counts, as in the script of the page. */
function entryClaimOf(address: string): EntryClaim {
  const parameters = new URLSearchParams(address.split('?', 2)[1] ?? '');
  const valueOf = (name: string, maxLength: number): string | null =>
    (parameters.getAll(name).at(-1) ?? '').replaceAll('\0', '').slice(0, maxLength).toWellFormed() || null;
  return {
    externalId: valueOf('external_id', 200),
    signedAt: valueOf('signed_at', 20),
    signature: valueOf('signature', 200),
  };
}

/** A refused entry has its status, although a browser that has started a response can continue on the page. */
function statusOf(state: PageState): number {
  if (state.kind === 'unavailable') return STATUSES[state.reason];
  const reason = state.newResponsesBlockedBy;
  return reason?.startsWith('signature_') === true ? STATUSES[reason] : 200;
}

function createPageState(page: RespondentPage): PageState {
  const settings = pageSettings(page.settings);
  const messages = messagesIn([settings.default_language, ...settings.languages]);
  const look = {
    messages,
    theme: createTheme(page.settings).properties,
    hasMarkdown: usesMarkdown([page.definition, settings]),
  };
  if (page.definition === null) {
    const opensAt = page.opensAt?.toISOString() ?? null;
    return { kind: 'unavailable', reason: page.closedReason, opensAt, settings, ...look };
  }
  return {
    kind: 'survey',
    linkToken: page.linkToken,
    linkType: page.linkType,
    preview: page.isPreview,
    opened: page.opened,
    usesDeviceId: page.collectsDeviceId,
    newResponsesBlockedBy: page.closedReason,
    definition: page.definition,
    respondent: page.respondent,
    previous: page.previous,
    settings,
    ...look,
  };
}

/** Returns the settings for the page. A blank consent text counts as none. */
function pageSettings(settings: RespondentPage['settings']): RespondentSettings {
  const shown = respondentSettings(settings);
  return { ...shown, consent_text: shown.consent_text?.trim() ? shown.consent_text : null };
}

/** Serializes the state for a script element: escapes characters that would end the element or a line of a script. */
function toScriptJson(state: PageState): string {
  return JSON.stringify(state)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/**
 * Renders the page before its script runs: the name of the survey, and the data that the script needs. The script never runs where a frame
 * gives the page no origin, as a sandbox without allow-same-origin does. So a text, which the style shows after some seconds, says what to do.
 */
function renderShell(
  state: PageState,
  {
    assetsPath,
    origin,
    path,
    surveySettings,
  }: { assetsPath: string; origin: string; path: string; surveySettings: SurveySettings },
): string {
  const address = `${origin}${path}`;
  const name = state.kind === 'survey' ? state.definition.name : '';
  const { default_language: language } = state.settings;
  const messages = state.messages[language] ?? en;
  const body = html`${renderLogo(surveySettings)}
    <div id="page">
      <main class="column">
        <h1>${name}</h1>
        <div class="not-loaded">
          <p>${messages.not_loaded}</p>
          <p>
            <a class="button primary" href="${address}" target="_blank" rel="noopener"
              >${messages.open_survey}</a
            >
          </p>
          <p class="address" dir="ltr">${address}</p>
          <p class="note">${messages.not_loaded_frame}</p>
        </div>
      </main>
    </div>
    <noscript><p class="column">${messages.needs_script}</p></noscript>
    ${renderImprint(surveySettings, messages)}
    <script type="application/json" id="state">
      ${trustedHtml(toScriptJson(state))}
    </script>`;
  const { scheme } = createTheme(surveySettings);
  return renderDocument({
    title: name,
    language,
    ...(scheme === null ? {} : { theme: scheme }),
    ...(surveySettings.icon === null ? {} : { icon: surveySettings.icon }),
    ...(state.kind === 'survey' ? { preview: linkPreview(state, surveySettings, origin) } : {}),
    files: { path: assetsPath, assets: files.assets() },
    body,
  });
}

/** An anonymous survey loads nothing from other servers. */
const logoOf = ({ logo, anonymous }: SurveySettings): string | null =>
  logo !== null && anonymous && isHttpUrl(logo) ? null : logo;

function renderLogo(settings: SurveySettings): Html | '' {
  const logo = logoOf(settings);
  if (logo === null) return '';
  return html`<div class="column logo">
    <img src="${logo}" alt="${settings.logo_alt ?? ''}" referrerpolicy="no-referrer" />
  </div>`;
}

/** The links to the imprint and the privacy notice, in the language of the survey. */
function renderImprint(
  { imprint_url: imprint, privacy_url: privacy, made_with_canvass: isMadeWith }: SurveySettings,
  messages: Messages,
): Html | '' {
  if (imprint === null && privacy === null && isMadeWith !== true) return '';
  const link = (address: string | null, label: string) =>
    address === null
      ? ''
      : html`<a href="${address}" target="_blank" rel="noopener noreferrer"
          >${label}<span class="visually-hidden"> (${messages.new_tab})</span></a
        >`;
  return html`<div class="column imprint" role="contentinfo">
    ${link(imprint, messages.imprint)} ${link(privacy, messages.privacy)}
    ${isMadeWith === true ? html`<span class="made-with">${messages.made_with}</span>` : ''}
  </div>`;
}

/** Programs that show previews need complete addresses. */
function linkPreview(
  { definition }: Extract<PageState, { kind: 'survey' }>,
  { share_description: description, share_image: image, welcome_image: welcomeImage }: SurveySettings,
  origin: string,
): { description: string | null; image: string | null } {
  const shown = image ?? welcomeImage;
  const { description: own } = definition;
  return {
    description: description ?? (own === null ? null : plainText(own, 'blocks')),
    image: shown === null ? null : new URL(shown, origin).href,
  };
}
