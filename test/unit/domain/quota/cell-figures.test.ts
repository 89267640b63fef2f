import { expect, it } from 'vitest';
import { computeCellFigures } from '../../../../src/domain/quota/quota.ts';

it.each([
  ['hard', { target: 10, completed: 6, pending: 3, rejected: 2 }, 2, 1],
  ['hard', { target: 10, completed: 10, pending: 0, rejected: 4 }, 4, 0],
  ['hard', { target: 0, completed: 0, pending: 0, rejected: 4 }, 4, 0],
  // An edit can raise a cell above its target.
  ['hard', { target: 10, completed: 11, pending: 0, rejected: 0 }, 0, 0],
  ['soft', { target: 10, completed: 9, pending: 3, rejected: 0 }, 0, 0],
  ['soft', { target: 10, completed: 13, pending: 1, rejected: 0 }, 3, 0],
  ['counter', { target: null, completed: 13, pending: 1, rejected: 0 }, 0, null],
  ['counter', { target: 20, completed: 13, pending: 1, rejected: 0 }, 0, 6],
] as const)(
  'a %s cell with %j is %i over its quota and has %s remaining',
  (mode, counts, overQuota, remaining) => {
    const { completed, pending } = counts;
    expect(computeCellFigures(mode, counts)).toEqual({ completed, pending, overQuota, remaining });
  },
);
