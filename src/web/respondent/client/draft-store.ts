import { randomId, type Draft } from './draft.ts';
import { readDraftCookie, writeDraftCookie } from './draft-cookie.ts';

/** Stores a draft in localStorage. Where the browser does not allow that, which happens in frames, a cookie keeps the identity of the response. */
export class DraftStore {
  constructor(private readonly key: string) {}

  read(): Draft | null {
    let stored: string | null;
    try {
      stored = localStorage.getItem(this.key);
    } catch {
      return readDraftCookie(this.key);
    }
    try {
      const draft = JSON.parse(stored ?? 'null') as Draft | null;
      if (draft?.form !== 1) return null;
      // Drafts of earlier versions of this page have no secret, and finished ones have the token.
      draft.clientSecret ??= randomId();
      if (draft.outcome !== null) draft.responseToken = null;
      return draft;
    } catch {
      return null;
    }
  }

  /** Returns false if the browser does not allow storage. */
  write(draft: Draft): boolean {
    try {
      localStorage.setItem(this.key, JSON.stringify(draft));
      return true;
    } catch {
      writeDraftCookie(this.key, draft);
      return false;
    }
  }

  /**
   * Gives a draft that has not started the identity of the draft that another tab of this device has stored since, so that both are one
   * response. Returns the draft to continue with: the stored one if that response has ended.
   */
  joinOtherTab(draft: Draft): Draft {
    const stored = draft.responseToken === null && draft.outcome === null ? this.read() : null;
    if (stored === null || stored.submissionId === draft.submissionId) return draft;
    if (stored.outcome !== null) return stored;
    const { submissionId, clientSecret, responseToken, surveyVersion } = stored;
    return Object.assign(draft, { submissionId, clientSecret, responseToken, surveyVersion });
  }

  /** Calls the listener when another tab finishes the same response. */
  onFinishedInAnotherTab(listener: (draft: Draft) => void): void {
    addEventListener('storage', (event) => {
      const draft = event.key === this.key ? this.read() : null;
      if (draft !== null && draft.outcome !== null) listener(draft);
    });
  }
}

/**
 * Returns a random id that this browser keeps for one survey, so that the server can detect several responses from one browser. It is
 * different for each survey and contains no data of the device. null if the browser does not allow storage.
 */
export function getDeviceId(surveyId: number): string | null {
  const key = `canvass:device:${surveyId}`;
  try {
    const id = localStorage.getItem(key) ?? randomId();
    localStorage.setItem(key, id);
    return id;
  } catch {
    return null;
  }
}
