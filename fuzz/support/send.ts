import { Agent, request } from 'node:http';
import type { WireRequest } from '../requests/draft.ts';

export interface WireReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  ms: number;
  /** A stream that would have gone on. */
  wasLeft: boolean;
}

/** A stream of events that would go on is read for so long; anything else that takes longer hangs. */
const TIMEOUT_MS = 30_000;
const STREAM_MS = 300;
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** Sends the bytes unchanged: without escaping, without following redirects. */
export function send(origin: string, { method, path, headers, body }: WireRequest): Promise<WireReply> {
  const began = performance.now();
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const outgoing = request({
      hostname,
      port,
      method,
      path,
      agent,
      setHost: headers.Host === undefined,
      headers: { ...headers, ...(body === null ? {} : { 'Content-Length': body.length }) },
    });
    const timer = setTimeout(() => outgoing.destroy(new Error(`No reply in ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    outgoing.on('response', (reply) => {
      const done = (wasLeft: boolean) => {
        clearTimeout(timer);
        const { statusCode: status = 0 } = reply;
        resolve({
          status,
          headers: reply.headers,
          body: Buffer.concat(chunks),
          ms: performance.now() - began,
          wasLeft,
        });
      };
      reply.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_REPLY_BYTES) outgoing.destroy(new Error(`More than ${MAX_REPLY_BYTES} bytes`));
        chunks.push(chunk);
      });
      reply.on('end', () => done(false));
      reply.on('error', reject);
      reply.on('aborted', () => reject(new Error('The reply was cut')));
      if (String(reply.headers['content-type']).startsWith('text/event-stream'))
        setTimeout(() => {
          done(true);
          outgoing.destroy();
        }, STREAM_MS).unref();
    });
    outgoing.end(body ?? undefined);
  });
}

export function closeConnections(): void {
  agent.destroy();
}
