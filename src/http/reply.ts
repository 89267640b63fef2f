import { z } from 'zod';

/** The reply of an operation; middleware/envelope.ts adds the envelope. */
export type ReplySpec =
  | { kind: 'data'; schema: z.ZodType }
  | { kind: 'list'; schema: z.ZodType }
  | { kind: 'empty' }
  /** A file of one of these content types (stars: of any), streamed. */
  | { kind: 'file'; contentTypes: readonly string[] }
  /** One JSON object whose array `rows` is streamed; `schema` is the whole object. */
  | { kind: 'rows'; schema: z.ZodType }
  /** Server-sent events; `schema` is the data of each. */
  | { kind: 'events'; schema: z.ZodType };

export function dataReply<S extends z.ZodType>(schema: S): { kind: 'data'; schema: S } {
  return { kind: 'data', schema };
}

export function listReply<S extends z.ZodType>(item: S): { kind: 'list'; schema: S } {
  return { kind: 'list', schema: item };
}

export function rowsReply<S extends z.ZodType>(schema: S): { kind: 'rows'; schema: S } {
  return { kind: 'rows', schema };
}

export function eventsReply<S extends z.ZodType>(schema: S): { kind: 'events'; schema: S } {
  return { kind: 'events', schema };
}

export const emptyReply = { kind: 'empty' } as const;

export function fileReply(...contentTypes: string[]): { kind: 'file'; contentTypes: readonly string[] } {
  return { kind: 'file', contentTypes };
}

/** `meta` of a list. */
export const listMeta = z
  .object({
    limit: z.int().describe('Maximum number of items of this page'),
    next_cursor: z.string().nullable().describe('`cursor` of the next page; null on the last page'),
    total: z.int().describe('Number of items on all pages'),
  })
  .meta({ id: 'ListMeta', description: 'Paging of a list' });

/** A page of a list. */
export interface ListPage<T> {
  items: T[];
  limit: number;
  /** null on the last page. */
  nextCursor: string | null;
  /** Number of all matches. */
  total: number;
}

export interface FileReply {
  contentType: string;
  filename: string;
  chunks: AsyncIterable<string | Buffer>;
  /** Generated while it is sent, from shared resources that must not wait for the client. See send-reply.ts. */
  isGenerated?: boolean;
  /** Displayed in the page, such as a picture. Other files are downloaded. */
  inline?: boolean;
}

export interface RowsReply {
  /** The object's other members, written before `rows`. */
  head: Record<string, unknown>;
  /** JSON texts of one or several rows, comma-separated. */
  rows: AsyncIterable<string>;
  meta?: Record<string, unknown>;
}

export interface EventsReply<T = unknown> {
  /** Sent immediately. An idle iterable must end when the signal of the request aborts. `event` and `id` never come from clients. */
  events: AsyncIterable<{ event?: string; id?: string; data: T }>;
}

/** A reply with a status, headers or cookies from the handler. */
export class WithReplyOptions<T> {
  constructor(
    readonly result: T,
    readonly options: ReplyOptions,
  ) {}
}

export interface ReplyOptions {
  status?: number;
  headers?: Record<string, string>;
  /** null clears the cookie. */
  authCookie?: { token: string; maxAgeSeconds: number } | null;
  /** Further cookies, HttpOnly and limited to their path. */
  cookies?: readonly { name: string; value: string; path: string; maxAgeSeconds: number }[];
}

export const NOT_MODIFIED = 304;

/** A 304 reply: the client has the current version. */
export const notModified = (headers: Record<string, string>): WithReplyOptions<never> =>
  new WithReplyOptions(undefined as never, { status: NOT_MODIFIED, headers });

export function withReply<T>(result: T, options: ReplyOptions): WithReplyOptions<T> {
  return new WithReplyOptions(result, options);
}

/**
 * The data of a reply as parts of a JSON text, for frequent replies that are cached as bytes. Tests check it against the schema.
 */
export class JsonText {
  readonly parts: readonly (string | Buffer)[];

  constructor(...parts: (string | Buffer)[]) {
    this.parts = parts;
  }

  toJSON(): unknown {
    return JSON.parse(this.parts.join(''));
  }
}

type Result<R extends ReplySpec> = R extends { kind: 'data'; schema: infer S extends z.ZodType }
  ? z.input<S>
  : R extends { kind: 'list'; schema: infer S extends z.ZodType }
    ? ListPage<z.input<S>>
    : R extends { kind: 'empty' }
      ? void
      : R extends { kind: 'file' }
        ? FileReply
        : R extends { kind: 'events'; schema: infer S extends z.ZodType }
          ? EventsReply<z.input<S>>
          : RowsReply;

export type HandlerResult<R extends ReplySpec> =
  Result<R> | WithReplyOptions<Result<R>> | JsonText | WithReplyOptions<JsonText>;

/** Headers of replies by name, as `components.headers` of the API document has them. */
export const REPLY_HEADERS = {
  'RateLimit-Limit': { description: 'Requests allowed in the window', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests remaining in the window', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the window ends', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'Requests allowed, and the length of the window in seconds, such as `1000;w=900`',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait before retrying', schema: { type: 'integer' } },
  'Content-Disposition': {
    description: 'File name in ASCII and UTF-8 (RFC 6266)',
    schema: { type: 'string' },
  },
  'Canvass-Counted': {
    description:
      'Number of responses in the file, and of excluded test and flagged responses, such as `responses=120, ' +
      'test_responses_included=0, test_responses_excluded=30, quality_included=0, quality_excluded=2`',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'Version of the reply. Send it as `If-None-Match` to get 304 if nothing changed',
    schema: { type: 'string' },
  },
  'Object-ETag': {
    description:
      'The `etag` of the object. Send it as `If-Match` with a change, which is refused if the object is another one by then',
    schema: { type: 'string' },
  },
  Location: { description: 'URL of the job', schema: { type: 'string' } },
  'Preference-Applied': {
    description: '`respond-async`, if the request had this preference',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, { description: string; schema: { type: 'integer' | 'string' } }>;
export type DocumentedHeader = keyof typeof REPLY_HEADERS;

/** Whether If-None-Match contains the tag (weak comparison, RFC 9110). */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
