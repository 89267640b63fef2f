import type { Response } from 'express';
import { questionsOf } from '../../domain/survey/definition.ts';
import { isHttpUrl } from '../../domain/survey/settings/http-url.ts';
import type { PageState } from './page-state.ts';

/**
 * The page asks nobody but us for anything, with one exception: pictures of options are where their author said they are.
 * Its parents are our own pages, and those of the origins that the survey names.
 */
export function setPagePolicy(response: Response, state: PageState, embedOrigins: readonly string[]): void {
  const directives = [
    "default-src 'none'",
    "base-uri 'none'",
    "connect-src 'self'",
    "form-action 'self'",
    ['frame-ancestors', "'self'", ...embedOrigins].join(' '),
    ['img-src', "'self'", 'data:', ...pictureOrigins(state)].join(' '),
    "script-src 'self'",
    "style-src 'self'",
  ];
  response.setHeader('Content-Security-Policy', directives.join('; '));
  // It knows no list of origins; frame-ancestors says the same and more.
  response.removeHeader('X-Frame-Options');
}

/** An address may have a host with ; or , in it, which would end the directive and begin another. */
const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]+$/;

function pictureOrigins(state: PageState): string[] {
  if (state.kind !== 'survey') return [];
  const origins = questionsOf(state.definition)
    .flatMap(({ options }) => options)
    .flatMap(({ image }) => (image !== null && isHttpUrl(image) ? [new URL(image).origin] : []));
  return [...new Set(origins)].filter((origin) => PLAIN_ORIGIN.test(origin));
}
