import supertest, { type Response, type Test } from 'supertest';

/** Formats request and reply in one line for the message of a failing test. */
export function describeReply(reply: Response): string {
  const { method, url } = reply.request as { method: string; url: string };
  const requestLine = `${method} ${url.replace(/^https?:\/\/[^/]+/, '')}`;
  const body = reply.body as { message?: unknown; code?: unknown; details?: unknown } | undefined;
  const result =
    typeof body?.message === 'string'
      ? [body.code, JSON.stringify(body.message), JSON.stringify(body.details)].join(' ')
      : reply.text?.slice(0, 300);
  return `${requestLine} → ${reply.status} ${result ?? ''}`.trimEnd();
}

/** Set once per process, even if this module is loaded several times. */
const DESCRIBES_REPLY = Symbol.for('a failed expectation tells the reply');

const test = supertest.Test.prototype as Test & { [DESCRIBES_REPLY]?: true };
if (test[DESCRIBES_REPLY] === undefined) {
  const end = Reflect.get(test, 'end') as Test['end'];
  // Adds request and reply to "expected 201, got 422".
  test.end = function (this: Test, callback) {
    if (callback === undefined) return end.call(this);
    return end.call(this, (error: Error | null, reply) => {
      // Without a complete reply, the error already describes the failed connection.
      const request = reply?.request as Response['request'] | null | undefined;
      if (error !== null && request) error.message += ` (${describeReply(reply)})`;
      callback(error, reply);
    });
  };
  test[DESCRIBES_REPLY] = true;
}
