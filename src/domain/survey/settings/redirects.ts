import type { ResponseStatus } from '../../dataset/response-row.ts';
import { isHttpUrl } from './http-url.ts';

/** The outcomes with redirects; `default` applies to outcomes without one. */
type RedirectKind = 'complete' | 'screen_out' | 'over_quota' | 'quality' | 'default';

/** Redirect URLs by outcome; `{{external_id}}` is replaced by the external id of the respondent. */
export type Redirects = { [kind in RedirectKind]?: string | null | undefined };

const PLACEHOLDER = '{{external_id}}';

/** Returns why a text is not a valid redirect URL; null if it is valid. */
export function redirectProblem(template: string): string | null {
  const without = template.replaceAll(PLACEHOLDER, '');
  if (/[{}]/.test(without)) return `may hold ${PLACEHOLDER}, and no other braces`;
  // The placeholder must not change the host.
  const { origin } = isHttpUrl(template) ? new URL(template.replaceAll(PLACEHOLDER, 'x')) : { origin: null };
  if (origin === null || origin !== new URL(template.replaceAll(PLACEHOLDER, 'y')).origin) {
    return 'must be an http or https address';
  }
  return null;
}

/** Returns the redirect URL for a finished response; null: none. */
export function redirectUrlOf(
  response: { status: ResponseStatus; statusReason: string | null; externalId: string | null },
  redirects: Redirects,
  fallback: string | null,
): string | null {
  if (response.status === 'partial') return null;
  const kind = response.status === 'complete' ? 'complete' : kindOf(response.statusReason);
  const template = redirects[kind] ?? redirects.default ?? fallback;
  if (template === null) return null;
  return template.replaceAll(
    PLACEHOLDER,
    encodeURIComponent((response.externalId ?? '').toWellFormed()).replaceAll("'", '%27'),
  );
}

function kindOf(reason: string | null): RedirectKind {
  return reason === 'screen_out' || reason === 'over_quota' || reason === 'quality' ? reason : 'default';
}
