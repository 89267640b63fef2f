import type { User } from './api.ts';
import { texts } from '../texts.ts';

export const ROLE_LABELS: Record<User['user_role'], string> = texts.roles;

export const STATUS_LABELS: Record<User['user_status'], string> = {
  0: texts.userStatus.deleted,
  1: texts.userStatus.active,
  2: texts.userStatus.waiting,
  3: texts.userStatus.suspended,
};

/** The roles that can be assigned, with their descriptions. */
export const ROLE_OPTIONS = [
  ['member', texts.roleOptions.member],
  ['admin', texts.roleOptions.admin],
  ['client', texts.roleOptions.client],
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
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['Mac', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** Returns a name such as "Firefox on Linux" for a User-Agent header. */
export function deviceName(userAgent: string | null): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0];
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0];
  if (browser === undefined) return userAgent?.slice(0, 60) || texts.devices.unknown;
  return system === undefined ? browser : texts.devices.named(browser, system);
}
