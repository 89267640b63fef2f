import { ERROR_CODES } from '../lib/error-codes.ts';
import { STATUS_OF } from './problem.ts';

/** The Markdown of docs/reference/error-codes.md: a row per code and status, sorted by status. */
export function errorCodeTable(): string {
  const rows = Object.entries(ERROR_CODES)
    .flatMap(([code, { kinds, meaning }]) =>
      kinds.map((kind) => ({ code, status: STATUS_OF[kind], meaning })),
    )
    .concat({ code: 'internal_error', status: 500, meaning: 'An unexpected error; report the request_id' })
    .sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
  return [
    '# Error codes',
    '',
    'Generated from `src/lib/error-codes.ts` by `npm run error-codes`. Every error has the form',
    '`{"error":1,"code":…,"message":…,"details":[…],"request_id":…}`; programs should use `code`, which does not change.',
    '',
    '| Code | Status | Meaning |',
    '| --- | --- | --- |',
    ...rows.map(({ code, status, meaning }) => `| \`${code}\` | ${status} | ${meaning} |`),
    '',
  ].join('\n');
}
