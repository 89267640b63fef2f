import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Me } from '../../../shared/client/session.ts';
import type { Schema } from '../data/api.ts';

export type Workspace = Schema<'Workspace'>;

/** The signed-in user and where they work. */
export interface StudioSession {
  me: Me;
  workspaces: readonly Workspace[];
  /** null: the user has no access to any, as clients of the organization. */
  workspace: Workspace | null;
  selectWorkspace: (workspaceId: number) => void;
  /** Loads the user and the workspaces again, after a change of the profile or the organization. */
  reload: () => Promise<void>;
}

export const SessionContext = createContext<StudioSession | null>(null);

export function useSession(): StudioSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('Used outside the shell');
  return session;
}

/** The role of the user in a workspace decides what they may change there. */
export const canEditIn = (workspace: Workspace | null | undefined): boolean =>
  workspace !== null && workspace !== undefined && workspace.my_role !== 'viewer';

/** Whether the user may change objects of the workspace with this id, such as a survey's. */
export function useCanEdit(workspaceId: number | undefined): boolean {
  const { workspaces } = useSession();
  return canEditIn(workspaces.find(({ workspace_id: id }) => id === workspaceId));
}
