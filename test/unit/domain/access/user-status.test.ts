import { describe, expect, test } from 'vitest';
import {
  type StatusAction,
  statusAfter,
  requiredStatus,
  USER_STATUSES,
} from '../../../../src/domain/access/users.ts';

/** What comes of an action by the status before: Deleted, Active, Pending, Suspended. */
const TABLE: [StatusAction, (number | null)[]][] = [
  ['approve', [null, null, 1, null]],
  ['reject', [null, null, 0, null]],
  ['suspend', [null, 3, null, null]],
  ['reactivate', [null, null, null, 1]],
];

describe.each(TABLE)('the %s action', (action, expected) => {
  test.each(USER_STATUSES)('gives the expected status from status %i', (status) => {
    expect(statusAfter(action, status)).toBe(expected[status]);
  });

  test('is possible from its required status', () => {
    expect(statusAfter(action, requiredStatus(action))).not.toBeNull();
  });
});
