/** Larger than any requested answer. */
const MAX_REPLY_BYTES = 8 * 1024 * 1024;
/** Maximum duration of a reply, in idle timeouts, against replies that never end. */
const MAX_IDLE_PERIODS = 5;

/** A reply was longer than any answer may be, or stopped in the middle. */
export class BrokenReplyError extends Error {}

/**
 * `fetch` for untrusted servers: replies that are too long or idle for too long fail. It
 * follows no redirects, so that data only reaches the configured server.
 */
export function guardedFetch(idleTimeoutMs: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' });
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(guardStream(response.body, idleTimeoutMs), { status, statusText, headers });
  };
}

function guardStream(body: ReadableStream<Uint8Array>, idleTimeoutMs: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const endsAt = performance.now() + MAX_IDLE_PERIODS * idleTimeoutMs;
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let timer: NodeJS.Timeout | undefined;
      try {
        const idleTimeout = new Promise<never>((_resolve, reject) => {
          const waitMs = Math.min(idleTimeoutMs, Math.max(endsAt - performance.now(), 0));
          timer = setTimeout(() => reject(new BrokenReplyError('silent')), waitMs);
        });
        const read = await Promise.race([reader.read(), idleTimeout]);
        if (read.done) return controller.close();
        bytes += read.value.byteLength;
        if (bytes > MAX_REPLY_BYTES) throw new BrokenReplyError('too long');
        controller.enqueue(read.value);
      } catch (error) {
        controller.error(error);
        void reader.cancel(error).catch(() => undefined);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
