import type { Origin, UserRole } from '../../domain/access/caller.ts';
import type { GrantableRole, UserStatus } from '../../domain/access/users.ts';
import type { WorkspaceVisibility } from '../../domain/access/scopes.ts';
import type { Table } from './table.ts';

export interface OrganizationTable {
  organization_id: number;
  organization_name: string;
  organization_slug: string;
  created_at: Date;
}

export interface UserTable {
  user_id: number;
  organization_id: number;
  user_email: string;
  user_name: string;
  password_hash: string;
  user_role: UserRole;
  user_status: UserStatus;
  ai_access: boolean;
  token_version: number;
  last_login_at: Date | null;
  created_at: Date;
  approved_at: Date | null;
  /** Changes with the picture; null: no picture. */
  avatar_version: string | null;
  invite_id: number | null;
  /** null: the address is not confirmed. */
  email_confirmed_at: Date | null;
  email_confirmed_by: EmailConfirmation | null;
}

/**
 * How an address was confirmed: by a link mailed to it, by the operator of the server, or by an administrator. The first two prove whose
 * it is, so no other user can have it; the last one counts only within the organization.
 */
export type EmailConfirmation = 'mail' | 'operator' | 'admin';

/** What a one-time link may be used for: a link of one kind does not work as another. */
export type LinkPurpose = 'reset' | 'sign-in' | 'confirm';

export interface UserAvatarTable {
  user_id: number;
  content_type: 'image/png' | 'image/jpeg' | 'image/webp';
  picture: Buffer;
}

export interface SessionTable {
  session_id: string;
  organization_id: number;
  user_id: number;
  token_version: number;
  current_workspace_id: number | null;
  created_at: Date;
  expires_at: Date;
  user_agent: string | null;
  address: string | null;
  /** Where a superadmin acts; null: their own organization. */
  acting_organization_id: number | null;
  /** Recorded at most once a minute; null: not used since the login. */
  last_used_at: Date | null;
}

export interface ApiKeyTable {
  api_key_id: number;
  organization_id: number;
  user_id: number;
  key_name: string;
  key_start: string;
  key_hash: string;
  current_workspace_id: number | null;
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
  /** Where a superadmin acts; null: their own organization. */
  acting_organization_id: number | null;
  /** null: no expiry. */
  expires_at: Date | null;
}

interface ApiKeyNetworkTable {
  api_key_id: number;
  network: string;
  first_used_at: Date;
}

interface PasswordResetTable {
  token_hash: string;
  user_id: number;
  token_version: number;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
  purpose: LinkPurpose;
  /** Whether the link was mailed to the user's address, so that using it proves whose the address is. */
  is_mailed: boolean;
}

export interface GroupTable {
  group_id: number;
  organization_id: number;
  group_name: string;
  group_description: string | null;
  group_color: string;
  created_at: Date;
}

export interface GroupMemberTable {
  organization_id: number;
  group_id: number;
  user_id: number;
  added_at: Date;
}

export interface InviteLinkTable {
  invite_id: number;
  organization_id: number;
  created_by: number;
  invite_token: string;
  invite_role: GrantableRole;
  /** null: unlimited. */
  invite_max_uses: number | null;
  invite_uses: number;
  /** null: no expiry. */
  expires_at: Date | null;
  created_at: Date;
  revoked_at: Date | null;
}

export interface WorkspaceTable {
  workspace_id: number;
  organization_id: number;
  owner_id: number;
  workspace_name: string;
  workspace_color: string;
  workspace_visibility: WorkspaceVisibility;
  /** Only values that differ from the defaults; see domain/survey/look.ts. */
  workspace_look: Record<string, unknown>;
  workspace_inserted: Date;
  deleted_at: Date | null;
  erased_at: Date | null;
}

export interface WorkspaceMemberTable {
  organization_id: number;
  workspace_id: number;
  user_id: number;
  role: 'viewer' | 'editor';
  added_at: Date;
}

export interface AuditLogTable {
  audit_id: number;
  organization_id: number;
  user_id: number | null;
  credential: Origin['credential'];
  action: string;
  object_type: string;
  object_id: string | null;
  details: Record<string, unknown> | null;
  request_id: string | null;
  happened_at: Date;
  credential_id: string | null;
  address: string | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    organizations: Table<OrganizationTable, 'organization_id' | 'created_at'>;
    users: Table<UserTable, 'user_id' | 'user_status' | 'ai_access' | 'token_version' | 'created_at'>;
    user_avatars: Table<UserAvatarTable>;
    sessions: Table<SessionTable, 'created_at'>;
    api_keys: Table<ApiKeyTable, 'api_key_id' | 'created_at'>;
    api_key_networks: Table<ApiKeyNetworkTable, 'first_used_at'>;
    password_resets: Table<PasswordResetTable, 'created_at' | 'purpose' | 'is_mailed'>;
    groups: Table<GroupTable, 'group_id' | 'group_color' | 'created_at'>;
    group_members: Table<GroupMemberTable, 'added_at'>;
    invite_links: Table<InviteLinkTable, 'invite_id' | 'invite_uses' | 'created_at'>;
    workspaces: Table<
      WorkspaceTable,
      'workspace_id' | 'workspace_color' | 'workspace_visibility' | 'workspace_look' | 'workspace_inserted',
      'workspace_look'
    >;
    workspace_members: Table<WorkspaceMemberTable, 'added_at'>;
    audit_log: Table<AuditLogTable, 'audit_id' | 'happened_at', 'details'>;
  }
}
