import type { AskedSurvey } from './asked-survey.ts';
import type { Draft } from './draft.ts';

export interface Problem {
  field: string;
  message: string;
}

/** `later`: nothing was decided, the same call may be made again. `refused`: the server said no. */
export class CallFailed extends Error {
  readonly kind: 'later' | 'refused';
  readonly status: number;
  readonly code: string;
  readonly problems: Problem[];
  readonly retryAfterSeconds: number;

  constructor(
    kind: 'later' | 'refused',
    status = 0,
    code = 'network',
    problems: Problem[] = [],
    retryAfterSeconds = 0,
  ) {
    super(code);
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.problems = problems;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface Ending {
  response_status: 'complete' | 'partial' | 'screened_out';
  status_reason: string | null;
  redirect_url: string | null;
  message?: string | null;
}
export type Started = Ending & { response_token: string };
export type Saved = Ending & { ended: boolean; next_page_id: number | null };
export interface Resumed extends Ending {
  submission_id: string | null;
  answers: Record<string, unknown>;
  next_page_id: number | null;
  language: string | null;
  hidden: Record<string, string>;
  survey: AskedSurvey;
}
export interface Uploaded {
  file_id: string;
  file_name: string;
  size_bytes: number;
}

const TIMEOUT_MS = 20_000;
const UPLOAD_TIMEOUT_MS = 10 * 60_000;
const WORTH_A_RETRY = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The operations of /api/public/s/:token that the page uses. */
export class Api {
  private readonly base: string;

  constructor(linkToken: string) {
    this.base = `/api/public/s/${linkToken}/responses`;
  }

  start(
    draft: Draft,
    link: { externalId: string | null; hidden: Record<string, string> },
    deviceMark: string | null,
  ): Promise<Started> {
    return this.call('POST', '', {
      submission_id: draft.submissionId,
      status: 'partial',
      answers: {},
      language: draft.language,
      ...(link.externalId === null ? {} : { external_id: link.externalId }),
      ...(Object.keys(link.hidden).length === 0 ? {} : { hidden: link.hidden }),
      ...(draft.consent ? { consent: true } : {}),
      ...(draft.opened === undefined ? {} : { opened: draft.opened }),
      ...(deviceMark === null ? {} : { fingerprint: deviceMark }),
    });
  }

  save(
    token: string,
    answers: Record<string, unknown>,
    pageId: number | null,
    pageSeconds: number | null,
  ): Promise<Saved> {
    return this.call('PATCH', `/${token}`, {
      answers,
      ...(pageId === null ? {} : { page_id: pageId }),
      ...(pageId === null || pageSeconds === null ? {} : { page_seconds: pageSeconds }),
    });
  }

  complete(token: string): Promise<Ending> {
    return this.call('POST', `/${token}/complete`, {});
  }

  resume(token: string): Promise<Resumed> {
    return this.call('GET', `/${token}`);
  }

  files(token: string): Promise<Uploaded[]> {
    return this.call('GET', `/${token}/files`);
  }

  removeFile(token: string, fileId: string): Promise<unknown> {
    return this.call('DELETE', `/${token}/files/${fileId}`);
  }

  upload(token: string, questionCode: string, file: File): Promise<Uploaded> {
    const form = new FormData();
    form.append('question_code', questionCode);
    form.append('file', file, file.name);
    return this.call('POST', `/${token}/files`, form, UPLOAD_TIMEOUT_MS);
  }

  private async call<T>(method: string, path: string, body?: object, timeoutMs = TIMEOUT_MS): Promise<T> {
    const multipart = body instanceof FormData;
    let reply: Response;
    let text: string;
    try {
      reply = await fetch(this.base + path, {
        method,
        cache: 'no-store',
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body: multipart ? body : JSON.stringify(body) }),
        ...(body === undefined || multipart ? {} : { headers: { 'Content-Type': 'application/json' } }),
      });
      text = await reply.text();
    } catch {
      throw new CallFailed('later');
    }
    let parsed: { data?: T; code?: string; details?: Problem[] } = {};
    try {
      parsed = JSON.parse(text) as typeof parsed;
    } catch {
      // A proxy's own page: judged by its status alone.
    }
    if (reply.status === 204) return undefined as T;
    if (reply.ok && parsed.data !== undefined) return parsed.data;
    // A reply that is not ours, though it says 200, is a captive portal: nothing was decided.
    const later = WORTH_A_RETRY.has(reply.status) || parsed.code === undefined;
    throw new CallFailed(
      later ? 'later' : 'refused',
      reply.status,
      parsed.code ?? 'network',
      parsed.details ?? [],
      Number(reply.headers.get('Retry-After') ?? 0) || 0,
    );
  }
}
