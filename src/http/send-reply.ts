import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { isStorageFull } from '../lib/errors.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../lib/temporary-folder.ts';
import { AUTH_COOKIE } from '../middleware/authenticate.ts';
import { replyCompressor, sendBody } from './compress-reply.ts';
import type { RequestMetadata } from './define-route.ts';
import {
  type FileReply,
  JsonText,
  type ListPage,
  type ReplyOptions,
  type ReplySpec,
  type RowsReply,
} from './reply.ts';

const READ_BYTES = 256 * 1024;

/** The file operations that a reply uses. */
export type ReplyFile = Pick<FileHandle, 'read' | 'write' | 'truncate' | 'close'>;

/** Where replies are kept until their clients have read them. The functions differ in tests only. */
export interface ReplySpool {
  /** Whether the disk has space for this many bytes. */
  hasSpace?: (bytes: number) => Promise<boolean>;
  openFile?: (file: string) => Promise<ReplyFile>;
}

/**
 * Writes chunks to a temporary file as fast as they are generated and yields the bytes from there, so that a slow client does not occupy
 * their source (a database connection). While the temporary folder has no space, it yields each chunk itself and the source waits for the
 * client. Always ends `chunks`: at its end, after an error, or when the reader stops. Rethrows an error of `chunks` after the bytes before it.
 */
export async function* readAhead(
  chunks: AsyncIterable<string | Buffer>,
  { hasSpace = () => Promise.resolve(true), openFile = (file) => open(file, 'wx+', 0o600) }: ReplySpool = {},
): AsyncGenerator<Buffer> {
  const folder = (await hasSpace(0)) ? await createTemporaryFolder('reply').catch(nullIfFull) : null;
  try {
    const file = folder === null ? null : await openFile(path.join(folder, 'reply')).catch(nullIfFull);
    try {
      yield* bufferInFile(chunks, file, hasSpace);
    } finally {
      await file?.close();
    }
  } finally {
    if (folder !== null) await removeTemporaryFolder(folder);
  }
}

/** `file` null: there was no space for one. */
async function* bufferInFile(
  chunks: AsyncIterable<string | Buffer>,
  file: ReplyFile | null,
  hasSpace: (bytes: number) => Promise<boolean>,
): AsyncGenerator<Buffer> {
  const state = {
    /** Bytes of the file that are complete; it starts again at 0 when all were read and there was no space for more. */
    written: 0,
    read: 0,
    /** A chunk that the file has no space for. */
    direct: null as Buffer | null,
    ended: false,
    failure: null as Error | null,
    isAbandoned: false,
    wakeReader: () => undefined,
    wakeWriter: () => undefined,
  };
  const keep = async (bytes: Buffer): Promise<boolean> =>
    file !== null && (await hasSpace(bytes.length)) && (await writeAll(file, bytes, state.written));
  const writing = (async () => {
    try {
      for await (const chunk of chunks) {
        if (state.isAbandoned) return;
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        if (await keep(bytes)) {
          state.written += bytes.length;
          state.wakeReader();
          continue;
        }
        state.direct = bytes;
        state.wakeReader();
        while (state.direct !== null && !state.isAbandoned)
          await new Promise<void>((resolve) => (state.wakeWriter = () => void resolve()));
      }
    } catch (error) {
      state.failure = error instanceof Error ? error : new Error(String(error));
    } finally {
      state.ended = true;
      state.wakeReader();
    }
  })();
  try {
    for (;;) {
      if (file !== null && state.read < state.written) {
        const part = Buffer.allocUnsafe(Math.min(READ_BYTES, state.written - state.read));
        const { bytesRead } = await file.read(part, 0, part.length, state.read);
        if (bytesRead === 0)
          throw new Error('The temporary file of a reply is shorter than what was written');
        state.read += bytesRead;
        yield part.subarray(0, bytesRead);
      } else if (state.direct !== null) {
        // Frees the space of what was read, so that the file can hold more.
        if (state.written > 0) await file?.truncate(0);
        state.read = state.written = 0;
        yield state.direct;
        state.direct = null;
        state.wakeWriter();
      } else if (state.ended) {
        if (state.failure !== null) throw state.failure;
        return;
      } else {
        await new Promise<void>((resolve) => (state.wakeReader = () => void resolve()));
      }
    }
  } finally {
    state.isAbandoned = true;
    state.wakeWriter();
    await writing;
  }
}

/** Repeats partial writes, which occur on an almost full disk before a write fails. Returns false if there is no space for the rest. */
async function writeAll(file: ReplyFile, bytes: Buffer, position: number): Promise<boolean> {
  for (let done = 0; done < bytes.length;) {
    const written = await file.write(bytes, done, bytes.length - done, position + done).catch(nullIfFull);
    if (written === null || written.bytesWritten === 0) return false;
    done += written.bytesWritten;
  }
  return true;
}

function nullIfFull(error: NodeJS.ErrnoException): null {
  if (isStorageFull(error)) return null;
  throw error;
}

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
  sendBody(response, body);
}

/** Sends cached bytes. */
export function sendJsonText(response: Response, status: number, { parts }: JsonText): void {
  const all = ['{"success":1,"data":', ...parts, '}'];
  response.status(status).setHeader('Content-Type', 'application/json; charset=utf-8');
  sendBody(response, Buffer.concat(all.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))));
}

/** Sends a file. Disconnects a client that has not read a generated file within `timeoutMs`. */
export async function sendFile({
  response,
  status,
  file,
  timeoutMs,
  spool,
}: {
  response: Response;
  status: number;
  file: FileReply;
  timeoutMs: number;
  spool: ReplySpool;
}): Promise<void> {
  const chunks = await readFirstChunk(file.isGenerated ? readAhead(file.chunks, spool) : file.chunks);
  response.status(status).setHeader('Content-Type', file.contentType);
  response.setHeader('Content-Disposition', contentDisposition(file));
  await streamTo(chunks, response, file.isGenerated ? timeoutMs : null);
}

/** Sends an object with generated rows. Disconnects a client that has not read it within `timeoutMs`. */
export async function sendRows({
  response,
  status,
  reply,
  timeoutMs,
  spool,
}: {
  response: Response;
  status: number;
  reply: RowsReply;
  timeoutMs: number;
  spool: ReplySpool;
}): Promise<void> {
  const chunks = await readFirstChunk(readAhead(rowsEnvelope(reply), spool));
  response.status(status).setHeader('Content-Type', 'application/json; charset=utf-8');
  await streamTo(chunks, response, timeoutMs);
}

/**
 * Reads the first chunk before anything is sent, so that an earlier error still becomes an error reply. Ending the result ends `chunks`
 * even if it was never read, unlike a generator that has not started.
 */
async function readFirstChunk<T>(chunks: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = chunks[Symbol.asyncIterator]();
  let first: IteratorResult<T> | null = await iterator.next();
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        if (first === null) return iterator.next();
        const result = Promise.resolve(first);
        first = null;
        return result;
      },
      async return() {
        await iterator.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}

/**
 * Streams to the client; a disconnection is not an error. Disconnects a client that has not read everything within `timeoutMs` (null: no
 * limit) and records the reason for the request log.
 */
async function streamTo(
  chunks: AsyncIterable<string | Buffer>,
  response: Response,
  timeoutMs: number | null,
): Promise<void> {
  const source = Readable.from(chunks, { objectMode: false });
  const cut = () => {
    response.locals.cut = `not read within ${timeoutMs} ms`;
    response.destroy();
  };
  const timer = timeoutMs === null ? null : setTimeout(cut, timeoutMs);
  try {
    const compressor = replyCompressor(response);
    await (compressor === null ? pipeline(source, response) : pipeline(source, compressor, response));
  } catch (error) {
    if (!isDisconnection(error)) throw error;
    source.destroy();
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}

/** Whether a stream failed because the client has disconnected: while it was sent, or (since Node 24) before it began. */
export function isDisconnection(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ERR_STREAM_UNABLE_TO_PIPE';
}

/** Sends the head together with the first row, so that an error before that row becomes an error reply. */
async function* rowsEnvelope(reply: RowsReply): AsyncIterable<string> {
  const head = JSON.stringify(reply.head);
  let opening = `{"success":1,"data":${head.slice(0, -1)}${head === '{}' ? '' : ','}"rows":[`;
  for await (const text of reply.rows) {
    if (text === '') continue;
    yield opening + text;
    opening = ',';
  }
  const closing = `]}${reply.meta === undefined ? '' : `,"meta":${JSON.stringify(reply.meta)}`}}`;
  yield opening === ',' ? closing : opening + closing;
}

export function applyOptions(
  response: Response,
  options: ReplyOptions,
  facts: Pick<RequestMetadata, 'baseUrl'>,
): void {
  for (const [name, value] of Object.entries(options.headers ?? {})) response.setHeader(name, value);
  if (options.authCookie === undefined && options.cookies === undefined) return;
  const secure = facts.baseUrl.startsWith('https:');
  const attributes = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
  if (options.authCookie === null) response.clearCookie(AUTH_COOKIE, attributes);
  else if (options.authCookie !== undefined) {
    const { token, maxAgeSeconds } = options.authCookie;
    response.cookie(AUTH_COOKIE, token, { ...attributes, maxAge: maxAgeSeconds * 1000 });
  }
  for (const { name, value, path, maxAgeSeconds } of options.cookies ?? [])
    response.cookie(name, value, { ...attributes, path, maxAge: maxAgeSeconds * 1000 });
}

/** The file name for old and new clients (RFC 6266). */
function contentDisposition({ filename, inline }: Pick<FileReply, 'filename' | 'inline'>): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${inline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
