import type { ResponseStatus } from '../../dataset/response-row.ts';
import { isHttpUrl } from './http-url.ts';

/** How a response may end, for whoever sent its respondent; `default` serves the ends that have no address of their own. */
type RedirectKind = 'complete' | 'screen_out' | 'over_quota' | 'quality' | 'default';

/** Addresses by end; `{{external_id}}` in one becomes the respondent's. */
export type Redirects = { [kind in RedirectKind]?: string | null | undefined };

const PLACEHOLDER = '{{external_id}}';

/** What keeps a text from being such an address; null: nothing. */
export function redirectProblem(template: string): string | null {
  const without = template.replaceAll(PLACEHOLDER, '');
  if (/[{}]/.test(without)) return `may hold ${PLACEHOLDER}, and no other braces`;
  // Whoever is named in the path or the query decides nothing about the host.
  const { origin } = isHttpUrl(template) ? new URL(template.replaceAll(PLACEHOLDER, 'x')) : { origin: null };
  if (origin === null || origin !== new URL(template.replaceAll(PLACEHOLDER, 'y')).origin) {
    return 'must be an http or https address';
  }
  return null;
}

/** Where the respondent of an ended response is sent; null: nowhere. */
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
