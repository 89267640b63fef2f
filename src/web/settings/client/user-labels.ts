import type { User } from './api.ts';

export const ROLE_LABELS: Record<User['user_role'], string> = {
  superadmin: 'Superadmin',
  admin: 'Admin',
  member: 'Member',
  client: 'Client',
};

export const STATUS_LABELS: Record<User['user_status'], string> = {
  0: 'Deleted',
  1: 'Active',
  2: 'Waiting for approval',
  3: 'Suspended',
};

/** What can be granted, and what it means. */
export const ROLE_OPTIONS = [
  ['member', 'Member: surveys and data'],
  ['admin', 'Admin: the same, and people'],
  ['client', 'Client: shared dashboards'],
] as const;

export const isAdmin = (user: Pick<User, 'user_role'>): boolean =>
  user.user_role === 'admin' || user.user_role === 'superadmin';

const BROWSERS = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrom(e|ium)\//],
  ['Safari', /Safari\//],
  ['curl', /^curl\//],
] as const;
const SYSTEMS = [
  ['Android', /Android/],
  ['an iPhone', /iPhone/],
  ['an iPad', /iPad/],
  ['Windows', /Windows/],
  ['a Mac', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** "Firefox on Linux", as far as the browser says what it is. */
export function deviceName(userAgent: string | null): string {
  const browser = BROWSERS.find(([, mark]) => mark.test(userAgent ?? ''))?.[0];
  const system = SYSTEMS.find(([, mark]) => mark.test(userAgent ?? ''))?.[0];
  if (browser === undefined) return userAgent?.slice(0, 60) || 'Unknown program';
  return system === undefined ? browser : `${browser} on ${system}`;
}
