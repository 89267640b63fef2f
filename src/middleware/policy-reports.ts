import { json, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';

const MAX_BODY = '16kb';
const MAX_CHARACTERS = 100;
/** More reports in a minute are only counted: browsers with extensions send many. */
const MAX_LINES_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

const reportSchema = z.object({
  'csp-report': z.object({
    'document-uri': z.string().default(''),
    'effective-directive': z.string().optional(),
    'violated-directive': z.string().optional(),
    'blocked-uri': z.string().default(''),
  }),
});

/** The first part of the path: what follows may be a token. */
function pageOf(address: string): string {
  if (!URL.canParse(address)) return 'unknown';
  return `/${new URL(address).pathname.split('/', 2)[1] ?? ''}`.slice(0, MAX_CHARACTERS);
}

/** The origin of an address; `inline`, `eval` and `data` stay. */
function originOf(blocked: string): string {
  const origin = URL.canParse(blocked) ? new URL(blocked).origin : 'null';
  return (origin === 'null' ? blocked : origin).slice(0, MAX_CHARACTERS);
}

/**
 * Receives what browsers report as prevented by a content security policy, and writes a warning with directive, origin and kind of page: no
 * addresses of pages, which may contain tokens. At most ten lines a minute.
 */
export function receivePolicyReports(log: Logger): RequestHandler[] {
  let minuteEndsAt = 0;
  let reports = 0;
  const receive: RequestHandler = (request, response) => {
    const parsed = reportSchema.safeParse(request.body);
    response.status(204).end();
    if (!parsed.success) return;
    const now = performance.now();
    if (now >= minuteEndsAt) {
      if (reports > MAX_LINES_PER_MINUTE)
        log.warn({ omitted: reports - MAX_LINES_PER_MINUTE }, 'content security policy reports omitted');
      minuteEndsAt = now + MINUTE_MS;
      reports = 0;
    }
    reports += 1;
    if (reports > MAX_LINES_PER_MINUTE) return;
    const report = parsed.data['csp-report'];
    const directive = report['effective-directive'] ?? report['violated-directive'] ?? '';
    log.warn(
      {
        directive: directive.slice(0, MAX_CHARACTERS),
        blocked: originOf(report['blocked-uri']),
        page: pageOf(report['document-uri']),
      },
      'a content security policy prevented something',
    );
  };
  return [json({ type: ['application/csp-report', 'application/json'], limit: MAX_BODY }), receive];
}
