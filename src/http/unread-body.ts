import type { Request, Response } from 'express';

const GRACE_MS = 2_000;

/**
 * After a refusal the rest of the body may still be on its way. Cutting the line at once would destroy our answer
 * before the client has read it, so the rest is read off for a moment, and only then is the line cut.
 */
export function endUnreadBody(request: Request, response: Response): void {
  if (request.complete) return;
  response.once('finish', () => {
    request.resume();
    const timer = setTimeout(() => request.destroy(), GRACE_MS);
    const done = () => clearTimeout(timer);
    request.once('end', done);
    request.once('close', done);
  });
}
