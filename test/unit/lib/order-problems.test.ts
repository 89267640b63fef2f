import { expect, it } from 'vitest';
import { findOrderProblems } from '../../../src/lib/item-order.ts';

const existing = [1, 2, 3];
const problems = (given: number[]) =>
  findOrderProblems({ field: 'page_ids', given, existingIds: existing, kind: 'page' });

it('an order that names every item once has no problems', () => {
  expect(problems([3, 1, 2])).toEqual([]);
});

it.each([
  [[1, 2], [['page_ids', 'must list every page; missing: 3']]],
  [[1, 2, 3, 2], [['page_ids[3]', 'page 2 is listed more than once']]],
  [[1, 2, 3, 9], [['page_ids[3]', 'page 9 does not exist']]],
  [
    [9, 1],
    [
      ['page_ids[0]', 'page 9 does not exist'],
      ['page_ids', 'must list every page; missing: 2, 3'],
    ],
  ],
])('reports the problems of %j', (given, expected) => {
  expect(problems(given).map(({ field, message }) => [field, message])).toEqual(expected);
});
