import type { StoredAnswers } from '../../../domain/questions/answers/codec.ts';

/** The answers of one respondent through one link, as this browser stores them. */
export interface Draft {
  form: 1;
  submissionId: string;
  /** Proves to the server that a repeated start comes from the same browser. */
  clientSecret: string;
  /** null until the server has created the response. */
  responseToken: string | null;
  surveyVersion: number;
  language: string;
  consent: boolean;
  /** Whether the respondent has left the welcome page. */
  welcomed?: boolean;
  pageId: number | null;
  /** The shown question of the page, where each is on a separate screen. */
  questionId?: number | null;
  /** The share of the survey that is done, from 0 to 1. Absent: as the shown screen says. */
  progress?: number | undefined;
  /** The arms that the server has assigned, by block_id. */
  arms?: Readonly<Record<string, string>>;
  /** Answers of an earlier response, by codes such as `previous.Q3`. */
  previous?: StoredAnswers;
  /** Whether the page after `pageId` depends on an arm that is not assigned yet. */
  awaiting?: boolean;
  /** Inputs by question code, as entered. */
  inputs: Record<string, unknown>;
  /** Uploaded files by id; a file answer contains only ids. */
  files: Record<string, { name: string; sizeBytes: number }>;
  /** Whether there is new input since the last submitted page. */
  edited: boolean;
  /** Questions that the server has not acknowledged, and the page that was submitted last. */
  unsaved: { codes: string[]; pageId: number | null; pageSeconds?: number | null } | null;
  /** Time at which the page was opened, signed by the server. */
  opened?: string;
  /** The last page was submitted, and the server has not acknowledged it yet. */
  submitted: boolean;
  outcome: Outcome | null;
}

export interface Outcome {
  status: 'complete' | 'screened_out';
  reason: string | null;
  redirectUrl: string | null;
}

export function newDraft(
  language: string,
  surveyVersion: number,
  { opened, previous }: { opened: string; previous: StoredAnswers },
): Draft {
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
    previous,
    submitted: false,
    outcome: null,
  };
}

/** Whether a draft has only an identity yet. */
export const isUntouched = ({ responseToken, pageId, inputs, outcome, consent, welcomed }: Draft): boolean =>
  responseToken === null &&
  pageId === null &&
  outcome === null &&
  !consent &&
  welcomed !== true &&
  Object.keys(inputs).length === 0;

/** Returns 32 random hexadecimal digits. crypto.randomUUID needs https, but surveys may run on http in a closed network. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
