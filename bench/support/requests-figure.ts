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
  const reached = (all: readonly LoadResult[]) =>
    amount(
      median(perSecond(all)),
      '/s',
      `${short(median(all.map((one) => one.cpuMicroseconds)))} µs of CPU each`,
    );
  return {
    what,
    ours: reached(ours),
    yardstick: reached(yardstick),
    against,
    ratio: medianRatio(perSecond(ours), perSecond(yardstick)),
    target,
  };
}
