import type { Response } from 'express';
import { questionsOf } from '../../domain/survey/definition.ts';
import { isHttpUrl } from '../../domain/survey/settings/http-url.ts';
import type { PageState } from './page-state.ts';

/**
 * Sets the content security policy. The page loads resources only from this server, except option images, whose URLs the author chose.
 * Only pages of this server and of `embedOrigins` may embed it.
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
  // X-Frame-Options cannot list several origins; frame-ancestors replaces it.
  response.removeHeader('X-Frame-Options');
}

/** Excludes hosts with `;` or `,`, which would end the directive. */
const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]+$/;

function pictureOrigins(state: PageState): string[] {
  if (state.kind !== 'survey') return [];
  const origins = questionsOf(state.definition)
    .flatMap(({ options }) => options)
    .flatMap(({ image }) => (image !== null && isHttpUrl(image) ? [new URL(image).origin] : []));
  return [...new Set(origins)].filter((origin) => PLAIN_ORIGIN.test(origin));
}
