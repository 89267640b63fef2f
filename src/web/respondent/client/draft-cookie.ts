import type { Draft } from './draft.ts';

const NAME = 'canvass_draft';
const MAX_AGE_SECONDS = 30 * 86_400;
/** No version of a survey has this number, so the page fetches the answers and the version from the server. */
const UNKNOWN_VERSION = 0;

interface DraftCookie {
  /** Of the draft's store. */
  key: string;
  draft: Draft;
}

/**
 * Keeps the identity of the response, without its answers, in a cookie of this survey in this website. Browsers that block the storage of
 * frames of other websites allow `Partitioned` cookies, which cannot follow a person from one website to another.
 */
export function writeDraftCookie(key: string, draft: Draft): void {
  const { outcome } = draft;
  const identity: Draft = {
    ...draft,
    surveyVersion: UNKNOWN_VERSION,
    pageId: null,
    inputs: {},
    files: {},
    unsaved: null,
    submitted: false,
    outcome: outcome === null ? null : { ...outcome, redirectUrl: null },
  };
  const content: DraftCookie = { key, draft: identity };
  const value = encodeURIComponent(JSON.stringify(content));
  document.cookie = `${NAME}=${value}; Path=${location.pathname}; Max-Age=${MAX_AGE_SECONDS}; Secure; SameSite=None; Partitioned`;
}

/** Returns the draft of the cookie; null if there is none or the browser allows no cookies. */
export function readDraftCookie(key: string): Draft | null {
  try {
    const pair = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${NAME}=`));
    if (pair === undefined) return null;
    const stored = JSON.parse(decodeURIComponent(pair.slice(NAME.length + 1))) as DraftCookie;
    return stored.key === key ? stored.draft : null;
  } catch {
    return null;
  }
}
