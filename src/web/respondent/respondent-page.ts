import { Router, type RequestHandler } from 'express';
import {
  type RespondentSettings,
  respondentSettings,
} from '../../domain/survey/settings/respondent-settings.ts';
import type { RespondentPage, RespondentPageService } from '../../services/collection/respondent-pages.ts';
import { pageFiles } from '../shared/page-assets.ts';
import { wordsIn } from './dictionaries.ts';
import { setPagePolicy } from './page-policy.ts';
import type { PageState, ShutReason } from './page-state.ts';
import { shellOf } from './shell.ts';

const STATUSES: Record<ShutReason, number> = {
  not_found: 404,
  expired: 410,
  closed: 409,
  paused: 409,
  full: 409,
  wave_not_open: 409,
  wave_ended: 409,
  already_answered: 409,
};

const files = pageFiles('respondent');

/** `/s/<token>`: what a respondent's browser gets. It is mounted at `/s`. */
export function respondentPage(pages: RespondentPageService): Router {
  const shell: RequestHandler<{ token: string }> = async (request, response) => {
    const page = await pages.open(request.params.token);
    const state = stateOf(request.params.token, page);
    setPagePolicy(response, state, page.settings.embed_origins);
    response
      .status(state.kind === 'shut' ? STATUSES[state.reason] : 200)
      .setHeader('Cache-Control', 'no-store')
      .type('html')
      .send(shellOf(state, files.assets(), `${request.baseUrl}/assets`));
  };

  const router = Router();
  router.get('/assets/:file', files.send);
  router.get('/preview/:token', shell);
  router.get('/:token', shell);
  return router;
}

function stateOf(linkToken: string, page: RespondentPage): PageState {
  const settings = shownSettings(page.settings);
  const words = wordsIn([settings.default_language, ...settings.languages]);
  if (page.definition === null) {
    const opensAt = page.opensAt?.toISOString() ?? null;
    return { kind: 'shut', reason: page.shut, opensAt, settings, words };
  }
  return {
    kind: 'survey',
    linkToken,
    linkType: page.linkType,
    preview: page.isPreview,
    opened: page.opened,
    looksForDevice: page.looksForDevice,
    shutForNewcomers: page.shut,
    definition: page.definition,
    respondent: page.respondent,
    settings,
    words,
  };
}

/** As the page wants them: a consent text of blanks asks for nothing. */
function shownSettings(settings: RespondentPage['settings']): RespondentSettings {
  const shown = respondentSettings(settings);
  return { ...shown, consent_text: shown.consent_text?.trim() ? shown.consent_text : null };
}
