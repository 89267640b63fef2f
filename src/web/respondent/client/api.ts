import { ApiError, callApi } from '../../shared/client/api.ts';
import type { StoredAnswers } from '../../../domain/questions/answers/codec.ts';
import type { ApiSurvey } from './api-survey.ts';
import type { Draft } from './draft.ts';
import type { LinkParameters } from './link-parameters.ts';

interface AssignedArms {
  /** By block_id. */
  arms?: Record<string, string>;
}

export interface ResponseOutcome {
  response_status: 'complete' | 'partial' | 'screened_out';
  status_reason: string | null;
  redirect_url: string | null;
}
/** `response_token` is null where the submission_id exists already and the draft's clientSecret is not the one that created it. */
export type StartReply = ResponseOutcome & AssignedArms & { response_token: string | null };
export type SaveReply = ResponseOutcome &
  AssignedArms & {
    ended: boolean;
    next_page_id: number | null;
    survey_closed: boolean;
  };
export interface ResumeReply extends ResponseOutcome, AssignedArms {
  submission_id: string | null;
  answers: Record<string, unknown>;
  previous_answers: StoredAnswers;
  next_page_id: number | null;
  survey_closed: boolean;
  language: string | null;
  hidden: Record<string, string>;
  /** `YYYY-MM-DD`. */
  started_at: string;
  survey: ApiSurvey;
}
export type MoveReply = ResumeReply & { response_token: string };
export interface UploadedFile {
  file_id: string;
  file_name: string;
  size_bytes: number;
}

const UPLOAD_TIMEOUT_MS = 10 * 60_000;
const MIN_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;

/** What the address of the page tells of its respondent. */
export type EntryParameters = Pick<
  LinkParameters,
  'externalId' | 'signedAt' | 'signature' | 'hidden' | 'samples'
>;

/** The operations of /api/public/s/:token that the page uses. */
export class RespondentApi {
  private readonly base: string;

  constructor(linkToken: string) {
    this.base = `/api/public/s/${linkToken}/responses`;
  }

  start(draft: Draft, link: EntryParameters, deviceId: string | null): Promise<StartReply> {
    const body = {
      submission_id: draft.submissionId,
      client_secret: draft.clientSecret,
      status: 'partial',
      answers: {},
      language: draft.language,
      ...(link.externalId === null ? {} : { external_id: link.externalId }),
      ...(link.signedAt === null ? {} : { signed_at: link.signedAt }),
      ...(link.signature === null ? {} : { signature: link.signature }),
      ...(Object.keys(link.hidden).length === 0 ? {} : { hidden: link.hidden }),
      ...(draft.consent ? { consent: true } : {}),
      ...(draft.opened === undefined ? {} : { opened: draft.opened }),
      ...(deviceId === null ? {} : { fingerprint: deviceId }),
      ...(link.samples && { previous_answers: link.samples }),
    };
    return this.call('POST', '', { body });
  }

  save(
    token: string,
    answers: Record<string, unknown>,
    { pageId, pageSeconds = null }: { pageId: number | null; pageSeconds?: number | null },
  ): Promise<SaveReply> {
    return this.call('PATCH', `/${token}`, {
      body: {
        answers,
        ...(pageId === null ? {} : { page_id: pageId }),
        ...(pageId === null || pageSeconds === null ? {} : { page_seconds: pageSeconds }),
      },
    });
  }

  complete(token: string): Promise<ResponseOutcome> {
    return this.call('POST', `/${token}/complete`, { body: {} });
  }

  resume(token: string): Promise<ResumeReply> {
    return this.call('GET', `/${token}`);
  }

  /** Ends the token, and returns the response with a new one. */
  move(token: string, clientSecret: string, consent: boolean): Promise<MoveReply> {
    return this.call('POST', `/${token}/move`, { body: { client_secret: clientSecret, consent } });
  }

  files(token: string): Promise<UploadedFile[]> {
    return this.call('GET', `/${token}/files`);
  }

  removeFile(token: string, fileId: string): Promise<unknown> {
    return this.call('DELETE', `/${token}/files/${fileId}`);
  }

  upload(token: string, questionCode: string, file: File): Promise<UploadedFile> {
    const form = new FormData();
    form.append('question_code', questionCode);
    form.append('file', file, file.name);
    return this.call('POST', `/${token}/files`, { body: form, timeoutMs: UPLOAD_TIMEOUT_MS });
  }

  private async call<T>(
    method: string,
    path: string,
    options?: { body: object; timeoutMs?: number },
  ): Promise<T> {
    return (await callApi<T>(method, this.base + path, options)).data;
  }
}

/** Repeats a request until the server answers. `code`: the error code of a refusal. */
export async function requestUntilAnswered<T>(
  request: () => Promise<T>,
): Promise<{ reply: T } | { code: string }> {
  for (let delayMs = MIN_RETRY_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS)) {
    try {
      return { reply: await request() };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.kind === 'rejected') return { code: error.code };
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}
