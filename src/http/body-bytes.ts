import type { Request } from 'express';
import { invalid, tooLarge, unsupportedMediaType } from '../lib/errors.ts';

/** The declared size of the body: 0 without a body, NaN for a chunked body. */
export const declaredBodyBytes = (request: Request): number =>
  Number(request.headers['content-length'] ?? (request.headers['transfer-encoding'] ? NaN : 0));

export const isJson = (request: Request): boolean =>
  /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '');

/** Reads the raw body into memory. Refuses compressed bodies and bodies larger than `maxBytes`. */
export async function readBodyBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw unsupportedMediaType(
      `Content-Encoding "${encoding.slice(0, 40)}" is not supported; send the body as it is`,
    );
  }
  if (declaredBodyBytes(request) > maxBytes) throw bodyTooLarge(maxBytes);
  return readBytes(request, maxBytes);
}

const bodyTooLarge = (maxBytes: number) => tooLarge(`The body must have at most ${maxBytes} bytes`);

/** Uses plain listeners, because an async iterator over the request costs more than all other work on a small body. */
function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) {
        // Leaves the remaining body unread and the connection open, so that the client receives the reply.
        request.off('data', onData).pause();
        reject(bodyTooLarge(maxBytes));
      }
    };
    const onClosed = () => {
      if (!request.readableEnded) reject(invalid('', 'The body ended before it was complete'));
    };
    if (request.destroyed) onClosed();
    request.on('data', onData).on('error', onClosed).on('close', onClosed);
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
  });
}
