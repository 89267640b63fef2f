import type { ResponseStatus } from '../../domain/dataset/response-row.ts';
import type { ErrorDetail } from '../../lib/errors.ts';

/** Tolerance for clock differences between machines. */
const SKEW_MS = 5 * 60 * 1000;

/** Problems of the times that a client sends for a response. */
export function checkTimes(
  row: { status: ResponseStatus; startedAt: Date | null; completedAt: Date | null },
  now: Date,
): ErrorDetail[] {
  const latest = now.getTime() + SKEW_MS;
  if (row.startedAt !== null && row.startedAt.getTime() > latest) {
    return [{ field: 'started_at', message: `${row.startedAt.toISOString()} is in the future` }];
  }
  if (row.completedAt === null) return [];
  if (row.completedAt.getTime() > latest) {
    return [{ field: 'completed_at', message: `${row.completedAt.toISOString()} is in the future` }];
  }
  if (row.status === 'partial')
    return [{ field: 'completed_at', message: 'a partial response has not ended' }];
  if (row.startedAt !== null && row.completedAt < row.startedAt) {
    return [{ field: 'completed_at', message: 'is before started_at' }];
  }
  return [];
}
