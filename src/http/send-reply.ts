import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import {
  type FileReply,
  JsonText,
  type ListPage,
  type ReplyOptions,
  type ReplySpec,
  type RowsReply,
} from './reply.ts';
import { AUTH_COOKIE } from './authentication.ts';
import { readAhead } from './read-ahead.ts';
import type { RequestFacts } from './route.ts';

/** The success envelope of a data or list reply, as text. */
export function envelopeOf(spec: ReplySpec, result: unknown): string {
  if (spec.kind === 'list') {
    const page = result as ListPage<unknown>;
    const meta = { limit: page.limit, next_cursor: page.nextCursor, total: page.total };
    return JSON.stringify({ success: 1, data: page.items, meta });
  }
  return JSON.stringify({ success: 1, data: result });
}

export function sendJson(response: Response, status: number, body: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(body);
}

/** Kept bytes go out as they are, uncopied. */
export function sendJsonText(response: Response, status: number, { parts }: JsonText): void {
  const all = ['{"success":1,"data":', ...parts, '}'];
  const length = all.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  response.status(status).setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', length);
  for (const part of all) response.write(part);
  response.end();
}

export async function sendFile(response: Response, status: number, file: FileReply): Promise<void> {
  const chunks = await begun(file.isMade ? readAhead(file.chunks) : file.chunks);
  response.status(status).setHeader('Content-Type', file.contentType);
  response.setHeader('Content-Disposition', disposition(file));
  await stream(chunks, response);
}

export async function sendRows(response: Response, status: number, reply: RowsReply): Promise<void> {
  const rows = await begun(reply.rows);
  response.status(status).setHeader('Content-Type', 'application/json; charset=utf-8');
  await stream(readAhead(rowsEnvelope({ ...reply, rows })), response);
}

/** Takes the first chunk before anything is sent: what fails until then can still be answered with an error. */
async function begun<T>(chunks: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  })();
}

/** A client that leaves ends its stream, which is no error. */
async function stream(chunks: AsyncIterable<string | Buffer>, response: Response): Promise<void> {
  try {
    await pipeline(Readable.from(chunks, { objectMode: false }), response);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* rowsEnvelope(reply: RowsReply): AsyncIterable<string> {
  const head = JSON.stringify(reply.head);
  yield `{"success":1,"data":${head.slice(0, -1)}${head === '{}' ? '' : ','}"rows":[`;
  let first = true;
  for await (const text of reply.rows) {
    if (text === '') continue;
    yield first ? text : `,${text}`;
    first = false;
  }
  yield `]}${reply.meta === undefined ? '' : `,"meta":${JSON.stringify(reply.meta)}`}}`;
}

export function applyOptions(
  response: Response,
  options: ReplyOptions,
  facts: Pick<RequestFacts, 'baseUrl'>,
): void {
  for (const [name, value] of Object.entries(options.headers ?? {})) response.setHeader(name, value);
  if (options.authCookie === undefined && options.cookies === undefined) return;
  const secure = facts.baseUrl.startsWith('https:');
  const attributes = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
  for (const { name, value, path, maxAgeSeconds } of options.cookies ?? [])
    response.cookie(name, value, { ...attributes, path, maxAge: maxAgeSeconds * 1000 });
  if (options.authCookie === undefined) return;
  if (options.authCookie === null) response.clearCookie(AUTH_COOKIE, attributes);
  else {
    const { token, maxAgeSeconds } = options.authCookie;
    response.cookie(AUTH_COOKIE, token, { ...attributes, maxAge: maxAgeSeconds * 1000 });
  }
}

/** A name that old and new clients save the file under (RFC 6266). */
function disposition({ filename, inline }: Pick<FileReply, 'filename' | 'inline'>): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${inline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
