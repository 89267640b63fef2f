import { z } from 'zod';
import { WORKSPACE_ROLES } from '../../domain/access/scopes.ts';
import type { WorkspaceForCaller } from '../../services/workspaces.ts';

export const visibilitySchema = z
  .union([z.literal(1), z.literal(2), z.literal(3)], { error: 'must be 1 (Private), 2 (Team) or 3 (Shared)' })
  .describe(
    '1 Private: only the owner. 2 Team: all admins and members, with edit permission. 3 Shared: the owner and invited members',
  );

export const workspaceSchema = z
  .strictObject({
    workspace_id: z.int(),
    workspace_name: z.string(),
    workspace_color: z.string(),
    workspace_visibility: visibilitySchema,
    workspace_inserted: z.iso.datetime(),
    owner_id: z.int(),
    my_role: z
      .enum(WORKSPACE_ROLES)
      .describe('Your role in the workspace; admins have the role owner in a team workspace'),
  })
  .meta({ id: 'Workspace' });

export const presentWorkspace = (row: WorkspaceForCaller) => ({
  workspace_id: row.workspace_id,
  workspace_name: row.workspace_name,
  workspace_color: row.workspace_color,
  workspace_visibility: row.workspace_visibility,
  workspace_inserted: row.workspace_inserted.toISOString(),
  owner_id: row.owner_id,
  my_role: row.my_role,
});
