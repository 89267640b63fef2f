/** More than any answer that was asked for. */
const MOST_BYTES = 8 * 1024 * 1024;
/** A reply may take as long as so many silences: one that drips for ever is no reply. */
const MOST_SILENCES = 5;

/** A reply was longer than any answer may be, or stopped in the middle. */
export class BrokenReplyError extends Error {}

/**
 * `fetch` for a server that may be hostile or stuck: a reply that goes on for ever, or is silent for too long in the middle, fails. It
 * follows no redirects: what is sent goes to the server that was named, and nowhere else.
 */
export function guardedFetch(silentAtMostMs: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' });
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(guardStream(response.body, silentAtMostMs), { status, statusText, headers });
  };
}

function guardStream(body: ReadableStream<Uint8Array>, silentAtMostMs: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const endsAt = performance.now() + MOST_SILENCES * silentAtMostMs;
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let silent: NodeJS.Timeout | undefined;
      try {
        const tooLong = new Promise<never>((_resolve, reject) => {
          const waitMs = Math.min(silentAtMostMs, Math.max(endsAt - performance.now(), 0));
          silent = setTimeout(() => reject(new BrokenReplyError('silent')), waitMs);
        });
        const read = await Promise.race([reader.read(), tooLong]);
        if (read.done) return controller.close();
        bytes += read.value.byteLength;
        if (bytes > MOST_BYTES) throw new BrokenReplyError('too long');
        controller.enqueue(read.value);
      } catch (error) {
        controller.error(error);
        void reader.cancel(error).catch(() => undefined);
      } finally {
        clearTimeout(silent);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
