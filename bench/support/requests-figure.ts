import { amount, type Figure, short } from './figure.ts';
import type { LoadResult } from './load.ts';
import { median, medianRatio } from './rounds.ts';

/** Requests per second against a baseline, with the processor time per request of both servers. */
export function requestsFigure(
  what: string,
  ours: readonly LoadResult[],
  against: string,
  yardstick: readonly LoadResult[],
  target: Figure['target'],
): Figure {
  const perSecond = (all: readonly LoadResult[]) => all.map((one) => one.perSecond);
  const reached = (all: readonly LoadResult[]) => amount(median(perSecond(all)), '/s', noteOf(all));
  return {
    what,
    ours: reached(ours),
    yardstick: reached(yardstick),
    against,
    ratio: medianRatio(perSecond(ours), perSecond(yardstick)),
    target,
  };
}

/** The processor time of the server per request and, if measured, the work of PostgreSQL. */
function noteOf(all: readonly LoadResult[]): string {
  const server = `${short(median(all.map((one) => one.cpuMicroseconds)))} µs of CPU each`;
  const databases = all.flatMap(({ database }) => database ?? []);
  if (databases.length === 0) return server;
  const times = databases.flatMap(({ cpuMicroseconds }) => cpuMicroseconds ?? []);
  const wal = `${short(median(databases.map(({ walBytes }) => walBytes)))} bytes of WAL`;
  return times.length === 0
    ? `${server}, ${wal}`
    : `${server}, PostgreSQL ${short(median(times))} µs, ${wal}`;
}
