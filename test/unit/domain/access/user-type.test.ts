import { describe, expect, test } from 'vitest';
import type { UserRole } from '../../../../src/domain/access/caller.ts';
import {
  type GrantableRole,
  canGrantRole,
  requestedRole,
  roleFromType,
} from '../../../../src/domain/access/users.ts';

test.each([
  [1, 'admin'],
  [2, 'member'],
  [3, 'client'],
  [6, 'client'],
  [0, null],
  [4, null],
  [5, null],
  [1.5, null],
])('maps user type %d to role %s', (type, role) => {
  expect(roleFromType(type)).toBe(role);
});

describe('requestedRole', () => {
  type Row = [UserRole, GrantableRole | undefined, UserRole | undefined, UserRole | undefined | null];
  const rows: Row[] = [
    ['member', undefined, undefined, undefined],
    ['member', 'member', 'member', undefined],
    ['member', 'admin', undefined, 'admin'],
    ['member', undefined, 'client', 'client'],
    ['member', 'admin', 'admin', 'admin'],
    // one of the two is what was read
    ['member', 'admin', 'member', 'admin'],
    ['member', 'member', 'admin', 'admin'],
    ['member', 'admin', 'client', null],
    // a superadmin shows 1
    ['superadmin', 'admin', 'superadmin', undefined],
    ['superadmin', 'admin', undefined, undefined],
    ['superadmin', undefined, 'admin', 'admin'],
    ['superadmin', 'member', 'superadmin', 'member'],
    ['admin', 'admin', 'superadmin', 'superadmin'],
  ];
  test.each(rows)('for a %s with type %s and role %s returns %s', (stored, byType, byWord, expected) => {
    expect(requestedRole(stored, { byType, byWord })).toBe(expected);
  });
});

test('users can only grant roles up to their own', () => {
  const roles: UserRole[] = ['client', 'member', 'admin', 'superadmin'];
  roles.forEach((own, rank) =>
    expect(roles.filter((granted) => canGrantRole(own, granted))).toEqual(roles.slice(0, rank + 1)),
  );
});
