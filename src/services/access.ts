import type { Caller } from '../domain/access/caller.ts';
import {
  type AccessLevel,
  type DashboardScope,
  hasAccess,
  type ReportScope,
  type RespondentScope,
  type SurveyScope,
  type WaveScope,
  workspaceRoleOf,
  type WorkspaceScope,
} from '../domain/access/scopes.ts';
import { coalesceCalls } from '../lib/concurrency.ts';
import { forbidden, notFound } from '../lib/errors.ts';
import type { Store } from '../repositories/store.ts';
import type { MovableType, WorkspaceRowForUser } from '../repositories/workspaces.ts';

/** The part of a caller that decides access. */
type AccessSubject = Pick<Caller, 'userId' | 'organizationId' | 'role'> & Partial<Pick<Caller, 'origin'>>;

const ACTIVE = 1;

/**
 * Decides who may do what with an object. Invisible objects are reported as missing (404), visible but not permitted
 * ones as forbidden (403).
 */
export class AccessService {
  private readonly workspaceOfSurvey: (
    key: string,
  ) => Promise<(WorkspaceRowForUser & { survey_id: number }) | undefined>;

  constructor(private readonly store: Store) {
    this.workspaceOfSurvey = coalesceCalls((keys) =>
      store.detached(() => store.read.workspaces.findForSurveys(keys)),
    );
  }

  async workspace(caller: Caller, workspaceId: number, need: AccessLevel): Promise<WorkspaceScope> {
    const row = await this.store.read.workspaces.find(caller.organizationId, caller.userId, workspaceId);
    return scopeIn({ caller, row, need, action: 'workspace' });
  }

  /** `workspaceId`: the workspace filter of the request; a survey of another workspace is missing. */
  async survey({
    caller,
    surveyId,
    need,
    workspaceId,
  }: {
    caller: AccessSubject;
    surveyId: number;
    need: AccessLevel;
    workspaceId?: number | undefined;
  }): Promise<SurveyScope> {
    const row = (await this.workspaceOfSurvey(`${caller.userId}:${surveyId}`)) ?? null;
    const narrowedAway = workspaceId !== undefined && row?.workspace_id !== workspaceId;
    return { ...scopeIn({ caller, row: narrowedAway ? null : row, need, action: 'survey' }), surveyId };
  }

  /** The workspace of an object in the trash, for editors; whether it is deleted is for the operation to check. */
  async deletedObject({
    caller,
    object,
    workspaceId,
  }: {
    caller: Caller;
    object: { type: MovableType; id: number };
    workspaceId?: number | undefined;
  }): Promise<WorkspaceScope> {
    const row = await this.store.read.workspaces.findForAnyObject(caller, object);
    const narrowedAway = workspaceId !== undefined && row?.workspace_id !== workspaceId;
    const action = `deleted ${object.type}`;
    return scopeIn({ caller, row: narrowedAway ? null : row, need: 'edit', action });
  }

  /** Like `survey`, for a wave. */
  async wave({
    caller,
    waveId,
    need,
    workspaceId,
  }: {
    caller: Caller;
    waveId: number;
    need: AccessLevel;
    workspaceId?: number | undefined;
  }): Promise<WaveScope> {
    const { organizationId, userId } = caller;
    const row = await this.store.read.workspaces.findForWave(organizationId, userId, waveId);
    const narrowedAway = workspaceId !== undefined && row?.workspace_id !== workspaceId;
    const surveyId = row?.survey_id ?? 0;
    return { ...scopeIn({ caller, row: narrowedAway ? null : row, need, action: 'wave' }), surveyId, waveId };
  }

  /** Like `survey`, for a respondent of a workspace. */
  async respondent({
    caller,
    respondentId,
    need,
    workspaceId,
  }: {
    caller: Caller;
    respondentId: number;
    need: AccessLevel;
    workspaceId?: number | undefined;
  }): Promise<RespondentScope> {
    const { organizationId, userId } = caller;
    const row = await this.store.read.workspaces.findForRespondent(organizationId, userId, respondentId);
    const narrowedAway = workspaceId !== undefined && row?.workspace_id !== workspaceId;
    return {
      ...scopeIn({ caller, row: narrowedAway ? null : row, need, action: 'respondent' }),
      respondentId,
    };
  }

  /** Like `survey`, for a report. */
  async report({
    caller,
    reportId,
    need,
    workspaceId,
  }: {
    caller: AccessSubject;
    reportId: number;
    need: AccessLevel;
    workspaceId?: number | undefined;
  }): Promise<ReportScope> {
    const { organizationId, userId } = caller;
    const row = await this.store.read.workspaces.findForReport(organizationId, userId, reportId);
    const narrowedAway = workspaceId !== undefined && row?.workspace_id !== workspaceId;
    return { ...scopeIn({ caller, row: narrowedAway ? null : row, need, action: 'report' }), reportId };
  }

  /** Like `survey`, for a dashboard. Users with a grant, direct or through a group, may view it too. */
  async dashboard({
    caller,
    dashboardId,
    need,
    workspaceId,
  }: {
    caller: AccessSubject;
    dashboardId: number;
    need: AccessLevel;
    workspaceId?: number | undefined;
  }): Promise<DashboardScope> {
    const { organizationId, userId, origin } = caller;
    const row = await this.store.read.workspaces.findForDashboard(organizationId, userId, dashboardId);
    if (row === null || (workspaceId !== undefined && row.workspace_id !== workspaceId))
      throw notFound('dashboard');
    if (roleIn(caller, row) === null && row.is_given) {
      if (need !== 'view') throw forbidden('You can view this dashboard, but not change it');
      const scope = { userId, organizationId, workspaceId: row.workspace_id, dashboardId, role: null };
      return origin === undefined ? scope : { ...scope, origin };
    }
    return { ...scopeIn({ caller, row, need, action: 'dashboard' }), dashboardId };
  }

  /** Checks the access that a user has now, for background work that they started. */
  async surveyOfUser(
    user: Pick<Caller, 'userId' | 'organizationId'>,
    surveyId: number,
    need: AccessLevel,
  ): Promise<SurveyScope> {
    return this.survey({ caller: await this.loadActiveUser(user, 'survey'), surveyId, need });
  }

  /** Returns an active user with their current role. Throws 404 `what` if the user may no longer act. */
  async loadActiveUser(
    { organizationId, userId }: Pick<Caller, 'userId' | 'organizationId'>,
    action: string,
  ): Promise<Pick<Caller, 'userId' | 'organizationId' | 'role' | 'aiAccess'>> {
    const row = await this.store.read.users.findActingUser(organizationId, userId);
    if (row?.user_status !== ACTIVE) throw notFound(action);
    return { organizationId, userId, role: row.user_role, aiAccess: row.ai_access };
  }

  /**
   * Returns the workspace of a request whose path names none: the given one, else the current one of the session or
   * key, else the user's oldest. Throws 404 if the user sees no workspace.
   */
  async workspaceContext(
    caller: Caller,
    workspaceId: number | undefined,
    need: AccessLevel,
  ): Promise<WorkspaceScope> {
    if (workspaceId !== undefined) return this.workspace(caller, workspaceId, need);
    const visible = await this.listVisibleWorkspaces(caller);
    const current = visible.find((one) => one.row.workspace_id === caller.currentWorkspaceId) ?? visible[0];
    return scopeIn({ caller, row: current?.row ?? null, need, action: 'workspace' });
  }

  /** Returns the workspaces that the caller sees, oldest first, with their role in each. */
  async listVisibleWorkspaces(
    caller: Caller,
  ): Promise<{ row: WorkspaceRowForUser; scope: WorkspaceScope }[]> {
    const rows = await this.store.read.workspaces.listForUser(caller.organizationId, caller.userId);
    return rows.flatMap((row) => {
      const role = roleIn(caller, row);
      return role === null
        ? []
        : [{ row, scope: scopeIn({ caller, row, need: 'view', action: 'workspace' }) }];
    });
  }
}

function roleIn(caller: AccessSubject, row: WorkspaceRowForUser) {
  const workspace = { ownerId: row.owner_id, visibility: row.workspace_visibility };
  return workspaceRoleOf(caller, workspace, row.member_role);
}

function scopeIn({
  caller,
  row,
  need,
  action,
}: {
  caller: AccessSubject;
  row: WorkspaceRowForUser | null;
  need: AccessLevel;
  action: string;
}): WorkspaceScope {
  if (row === null || row.organization_id !== caller.organizationId) throw notFound(action);
  const role = roleIn(caller, row);
  if (role === null) throw notFound(action);
  if (!hasAccess(role, need)) {
    throw forbidden(
      `Only ${need === 'own' ? 'the owner' : 'an editor'} of this workspace can do this; your role is ${role}`,
    );
  }
  const { userId, origin } = caller;
  const scope = { userId, organizationId: row.organization_id, workspaceId: row.workspace_id, role };
  return origin === undefined ? scope : { ...scope, origin };
}
