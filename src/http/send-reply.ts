import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { FileReply, ListPage, ReplyOptions, ReplySpec, RowsReply } from './reply.ts';
import { AUTH_COOKIE } from './authentication.ts';

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
  response.status(status).setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(body);
}

export async function sendFile(response: Response, status: number, file: FileReply): Promise<void> {
  response.status(status).setHeader('Content-Type', file.contentType);
  response.setHeader('Content-Disposition', attachment(file.filename));
  await pipeline(Readable.from(file.chunks, { objectMode: false }), response);
}

export async function sendRows(response: Response, status: number, reply: RowsReply): Promise<void> {
  response.status(status).setHeader('Content-Type', 'application/json; charset=utf-8');
  await pipeline(Readable.from(rowsEnvelope(reply), { objectMode: false }), response);
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

export function applyOptions(response: Response, options: ReplyOptions, secureCookie: boolean): void {
  for (const [name, value] of Object.entries(options.headers ?? {})) response.setHeader(name, value);
  if (options.authCookie === undefined) return;
  const attributes = { httpOnly: true, sameSite: 'lax', secure: secureCookie, path: '/' } as const;
  if (options.authCookie === null) response.clearCookie(AUTH_COOKIE, attributes);
  else {
    const { token, maxAgeSeconds } = options.authCookie;
    response.cookie(AUTH_COOKIE, token, { ...attributes, maxAge: maxAgeSeconds * 1000 });
  }
}

/** A name that old and new clients save the file under (RFC 6266). */
function attachment(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(filename)}`;
}
