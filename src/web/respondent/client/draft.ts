/** What one respondent has entered through one link, as this browser keeps it. */
export interface Draft {
  form: 1;
  submissionId: string;
  /** Proves to the server, when the start is sent again, that this browser sent it first. */
  clientSecret: string;
  /** Null until the server has heard of the response. */
  responseToken: string | null;
  surveyVersion: number;
  language: string;
  consent: boolean;
  pageId: number | null;
  /** By question code, in the form in which it was entered. */
  inputs: Record<string, unknown>;
  /** Uploaded files by id: a file answer holds ids only. */
  files: Record<string, { name: string; sizeBytes: number }>;
  /** Something was entered since a page was last handed in. */
  edited: boolean;
  /** What the server has not acknowledged: the questions, and the page that was finished last. */
  unsaved: { codes: string[]; pageId: number | null; pageSeconds?: number | null } | null;
  /** When the survey was opened here, in the server's signed words. */
  opened?: string;
  /** The last page was handed in; only the acknowledgement is missing. */
  submitted: boolean;
  outcome: Outcome | null;
}

export interface Outcome {
  status: 'complete' | 'screened_out';
  reason: string | null;
  redirectUrl: string | null;
}

export function newDraft(language: string, surveyVersion: number, opened: string): Draft {
  return {
    form: 1,
    submissionId: randomId(),
    clientSecret: randomId(),
    responseToken: null,
    surveyVersion,
    language,
    consent: false,
    pageId: null,
    inputs: {},
    files: {},
    edited: false,
    unsaved: null,
    opened,
    submitted: false,
    outcome: null,
  };
}

/** crypto.randomUUID is there only on https and localhost; a survey may run on plain http in a closed network. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Keeps drafts in localStorage, and in memory where that is forbidden. */
export class DraftStore {
  private readonly key: string;

  constructor(key: string) {
    this.key = key;
  }

  read(): Draft | null {
    try {
      const found = JSON.parse(localStorage.getItem(this.key) ?? 'null') as Draft | null;
      if (found?.form !== 1) return null;
      // Drafts of earlier versions of this page have no secret.
      found.clientSecret ??= randomId();
      return found;
    } catch {
      return null;
    }
  }

  /** False where the browser does not let us keep anything. */
  write(draft: Draft): boolean {
    try {
      localStorage.setItem(this.key, JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  }

  /** Another tab of the same survey came to its end. */
  onFinishedInAnotherTab(listener: (ended: Draft) => void): void {
    addEventListener('storage', (event) => {
      const elsewhere = event.key === this.key ? this.read() : null;
      if (elsewhere !== null && elsewhere.outcome !== null) listener(elsewhere);
    });
  }
}
