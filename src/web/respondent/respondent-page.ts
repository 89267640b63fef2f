import { Router, type RequestHandler } from 'express';
import {
  type RespondentSettings,
  respondentSettings,
} from '../../domain/survey/settings/respondent-settings.ts';
import type { RespondentPage, RespondentPageService } from '../../services/collection/respondent-pages.ts';
import { loadPageFiles } from '../shared/page-assets.ts';
import { messagesIn } from './messages.ts';
import { setPagePolicy } from './page-policy.ts';
import type { PageState, UnavailableReason } from './page-state.ts';
import { renderShell } from './shell.ts';

const STATUSES: Record<UnavailableReason, number> = {
  not_found: 404,
  expired: 410,
  closed: 409,
  paused: 409,
  full: 409,
  wave_not_open: 409,
  wave_ended: 409,
  already_answered: 409,
};

const files = loadPageFiles('respondent');

/** The router of `/s/<token>`, the pages of respondents. It is mounted at `/s`. */
export function createRespondentRouter(pages: RespondentPageService): Router {
  const shell: RequestHandler<{ token: string }> = async (request, response) => {
    const page = await pages.open(request.params.token);
    const state = createPageState(request.params.token, page);
    setPagePolicy(response, state, page.settings.embed_origins);
    response
      .status(state.kind === 'unavailable' ? STATUSES[state.reason] : 200)
      .setHeader('Cache-Control', 'no-store')
      .type('html')
      .send(renderShell(state, files.assets(), `${request.baseUrl}/assets`));
  };

  const router = Router();
  router.get('/assets/:file', files.send);
  router.get('/preview/:token', shell);
  router.get('/:token', shell);
  return router;
}

function createPageState(linkToken: string, page: RespondentPage): PageState {
  const settings = pageSettings(page.settings);
  const messages = messagesIn([settings.default_language, ...settings.languages]);
  if (page.definition === null) {
    const opensAt = page.opensAt?.toISOString() ?? null;
    return { kind: 'unavailable', reason: page.closedReason, opensAt, settings, messages };
  }
  return {
    kind: 'survey',
    linkToken,
    linkType: page.linkType,
    preview: page.isPreview,
    opened: page.opened,
    usesDeviceId: page.collectsDeviceId,
    newResponsesBlockedBy: page.closedReason,
    definition: page.definition,
    respondent: page.respondent,
    settings,
    messages,
  };
}

/** Returns the settings for the page. A blank consent text counts as none. */
function pageSettings(settings: RespondentPage['settings']): RespondentSettings {
  const shown = respondentSettings(settings);
  return { ...shown, consent_text: shown.consent_text?.trim() ? shown.consent_text : null };
}
