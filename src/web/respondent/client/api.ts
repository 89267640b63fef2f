import { ApiError } from '../../shared/client/api-error.ts';
import { callApi } from '../../shared/client/call-api.ts';
import type { ApiSurvey } from './api-survey.ts';
import type { Draft } from './draft.ts';

export interface ResponseOutcome {
  response_status: 'complete' | 'partial' | 'screened_out';
  status_reason: string | null;
  redirect_url: string | null;
}
/** `response_token` is null where the submission_id exists already and the draft's clientSecret is not the one that created it. */
export type StartReply = ResponseOutcome & { response_token: string | null };
export type SaveReply = ResponseOutcome & { ended: boolean; next_page_id: number | null };
export interface ResumeReply extends ResponseOutcome {
  submission_id: string | null;
  answers: Record<string, unknown>;
  next_page_id: number | null;
  language: string | null;
  hidden: Record<string, string>;
  survey: ApiSurvey;
}
export interface UploadedFile {
  file_id: string;
  file_name: string;
  size_bytes: number;
}

const UPLOAD_TIMEOUT_MS = 10 * 60_000;
const MIN_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;

/** The operations of /api/public/s/:token that the page uses. */
export class RespondentApi {
  private readonly base: string;

  constructor(linkToken: string) {
    this.base = `/api/public/s/${linkToken}/responses`;
  }

  start(
    draft: Draft,
    link: { externalId: string | null; hidden: Record<string, string> },
    deviceId: string | null,
  ): Promise<StartReply> {
    return this.call('POST', '', {
      submission_id: draft.submissionId,
      client_secret: draft.clientSecret,
      status: 'partial',
      answers: {},
      language: draft.language,
      ...(link.externalId === null ? {} : { external_id: link.externalId }),
      ...(Object.keys(link.hidden).length === 0 ? {} : { hidden: link.hidden }),
      ...(draft.consent ? { consent: true } : {}),
      ...(draft.opened === undefined ? {} : { opened: draft.opened }),
      ...(deviceId === null ? {} : { fingerprint: deviceId }),
    });
  }

  save(
    token: string,
    answers: Record<string, unknown>,
    pageId: number | null,
    pageSeconds: number | null,
  ): Promise<SaveReply> {
    return this.call('PATCH', `/${token}`, {
      answers,
      ...(pageId === null ? {} : { page_id: pageId }),
      ...(pageId === null || pageSeconds === null ? {} : { page_seconds: pageSeconds }),
    });
  }

  complete(token: string): Promise<ResponseOutcome> {
    return this.call('POST', `/${token}/complete`, {});
  }

  resume(token: string): Promise<ResumeReply> {
    return this.call('GET', `/${token}`);
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
    return this.call('POST', `/${token}/files`, form, UPLOAD_TIMEOUT_MS);
  }

  private async call<T>(method: string, path: string, body?: object, timeoutMs?: number): Promise<T> {
    return (await callApi<T>(method, this.base + path, body, timeoutMs)).data;
  }
}

/** Fetches a response in progress with its files, and retries until the server answers. `code`: the error code of a refusal. */
export async function fetchResponse(
  api: RespondentApi,
  token: string,
): Promise<{ response: ResumeReply; files: UploadedFile[] } | { code: string }> {
  for (let delayMs = MIN_RETRY_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS)) {
    try {
      const response = await api.resume(token);
      return { response, files: response.response_status === 'partial' ? await api.files(token) : [] };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.kind === 'rejected') return { code: error.code };
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}
