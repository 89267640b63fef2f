import { Router, type Request, type RequestHandler, type Response } from 'express';
import {
  type RespondentSettings,
  respondentSettings,
} from '../../domain/survey/settings/respondent-settings.ts';
import type { RespondentPage, RespondentPageService } from '../../services/collection/respondent-pages.ts';
import { wordsIn } from './dictionaries.ts';
import { type PageAsset, type PageAssets, buildPageAssets } from './page-assets.ts';
import { setPagePolicy } from './page-policy.ts';
import type { PageState, ShutReason } from './page-state.ts';
import { shellOf } from './shell.ts';

const STATUSES: Record<ShutReason, number> = {
  not_found: 404,
  expired: 410,
  closed: 409,
  paused: 409,
  full: 409,
};
const A_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** `/s/<token>`: what a respondent's browser gets. It is mounted at `/s`. */
export function respondentPage(pages: RespondentPageService): Router {
  let assets: Promise<PageAssets> | null = null;
  // Made at the first visit and kept; a failure is not.
  const built = (): Promise<PageAssets> =>
    (assets ??= buildPageAssets().catch((error: unknown) => {
      assets = null;
      throw error;
    }));

  const shell: RequestHandler<{ token: string }> = async (request, response) => {
    const [page, files] = await Promise.all([pages.open(request.params.token), built()]);
    const state = stateOf(request.params.token, page);
    setPagePolicy(response, state, page.settings.embed_origins);
    response
      .status(state.kind === 'shut' ? STATUSES[state.reason] : 200)
      .setHeader('Cache-Control', 'no-store')
      .type('html')
      .send(shellOf(state, files, `${request.baseUrl}/assets`));
  };

  const router = Router();
  router.get('/assets/:file', async (request, response, next) => {
    const { script, style } = await built();
    const found = [script, style].find(({ fileName }) => fileName === request.params.file);
    if (found === undefined) next();
    else sendAsset(request, response, found);
  });
  router.get('/preview/:token', shell);
  router.get('/:token', shell);
  return router;
}

function stateOf(linkToken: string, page: RespondentPage): PageState {
  const settings = shownSettings(page.settings);
  const words = wordsIn([settings.default_language, ...settings.languages]);
  if (page.definition === null) {
    return { kind: 'shut', reason: page.shut, settings, words };
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
    settings,
    words,
  };
}

/** As the page wants them: a consent text of blanks asks for nothing. */
function shownSettings(settings: RespondentPage['settings']): RespondentSettings {
  const shown = respondentSettings(settings);
  return { ...shown, consent_text: shown.consent_text?.trim() ? shown.consent_text : null };
}

function sendAsset(request: Request, response: Response, asset: PageAsset): void {
  const encoding = request.acceptsEncodings('br', 'gzip');
  response
    .setHeader('Cache-Control', `public, max-age=${A_YEAR_SECONDS}, immutable`)
    .setHeader('Content-Type', asset.contentType)
    .setHeader('Vary', 'Accept-Encoding');
  if (encoding !== false) response.setHeader('Content-Encoding', encoding);
  response.send(encoding === 'br' ? asset.brotli : encoding === 'gzip' ? asset.gzip : asset.plain);
}
