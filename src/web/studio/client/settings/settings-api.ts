import { callApi } from '../../../shared/client/api.ts';
import type { User } from '../../../shared/client/session.ts';

export interface Session {
  session_id: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string;
  user_agent: string | null;
  address: string | null;
  current: boolean;
}
export interface ApiKey {
  api_key_id: number;
  key_name: string;
  key_start: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
}
export interface Group {
  group_id: number;
  group_name: string;
  group_description: string | null;
  group_color: string;
  member_count: number;
}
export type GroupMember = Pick<User, 'user_id' | 'user_name' | 'user_email' | 'user_role' | 'user_status'>;
export interface InviteLink {
  invite_id: number;
  invite_url: string;
  user_role: 'admin' | 'member' | 'client';
  invite_max_uses: number | null;
  invite_uses: number;
  expires_at: string | null;
  invite_status: 'active' | 'used_up' | 'expired';
  created_at: string;
}
export interface Invitation {
  organization_name: string;
  user_role: InviteLink['user_role'];
  expires_at: string | null;
}
export interface AuditEntry {
  audit_id: number;
  happened_at: string;
  user_id: number | null;
  user_name: string | null;
  action: string;
  object_type: string;
  object_id: string | null;
  details: Record<string, unknown> | null;
  credential: 'session' | 'api_key' | null;
  address: string | null;
}

export async function fetchInvitation(token: string): Promise<Invitation> {
  return (await callApi<Invitation>('GET', `/api/public/invites/${encodeURIComponent(token)}`)).data;
}
