import { ApiError, callApi } from './api.ts';

export interface User {
  user_id: number;
  user_email: string;
  user_name: string;
  user_type: 1 | 2 | 3;
  user_role: 'superadmin' | 'admin' | 'member' | 'client';
  user_status: 0 | 1 | 2 | 3;
  ai_access: boolean;
  avatar_url: string | null;
  last_login_at: string | null;
  email_confirmed: boolean;
}
export interface Organization {
  organization_id: number;
  organization_name: string;
  organization_slug: string;
}
export type Me = User & {
  organization: Organization;
  can_publish_dashboards: boolean;
  deleted_retention_days: number;
  home_organization_id?: number;
};

export const isAdmin = (user: Pick<User, 'user_role'>): boolean =>
  user.user_role === 'admin' || user.user_role === 'superadmin';

/** Calls `/api/auth`: sign in, sign out, register, reset a password. Here 401 does not mean that the session has ended. */
export async function callAuth<T = unknown>(action: string, fields: object = {}): Promise<T> {
  return (await callApi<T>('POST', '/api/auth', { body: { action, ...fields } })).data;
}

/** Returns the signed-in user, or null without a session. */
export async function fetchMe(): Promise<Me | null> {
  try {
    return (await callApi<Me>('GET', '/api/users/me')).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
