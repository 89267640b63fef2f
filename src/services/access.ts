import { type Caller, isAdmin } from '../domain/access/caller.ts';
import {
  type AccessLevel,
  type DashboardScope,
  hasAccess,
  includesAudience,
  type ReportScope,
  type RespondentScope,
  type SurveyScope,
  type WaveScope,
  workspaceRoleOf,
  type WorkspaceScope,
  type WorkspaceVisibility,
} from '../domain/access/scopes.ts';
import { coalesceCalls } from '../lib/concurrency.ts';
import { conflict, forbidden, notFound } from '../lib/errors.ts';
import type { Store } from '../repositories/store.ts';
import type { MovableType, WorkspaceRowForUser } from '../repositories/workspaces.ts';

/** The part of a caller that decides access. */
type AccessSubject = Pick<Caller, 'userId' | 'organizationId' | 'role'> & Partial<Pick<Caller, 'origin'>>;

type InWorkspace = Pick<WorkspaceScope, 'organizationId' | 'workspaceId'>;

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

  /**
   * Checks that the caller may move an object of `source` to another workspace. They need an editor's role there and must own `source` or
   * be an admin, unless everyone who sees `source` sees the other workspace too. What an editor moved stays visible to everyone who sees
   * the workspace that it came from, until an admin or that workspace's owner moves it: an editor cannot hide it in two steps.
   * Returns that workspace, for the audit log (null: none). Throws 404 and 403.
   */
  async checkMove({
    caller,
    source,
    workspaceId,
    object,
  }: {
    caller: Caller;
    source: Pick<DashboardScope, 'organizationId' | 'workspaceId' | 'role'>;
    workspaceId: number;
    object: { type: MovableType; id: number };
  }): Promise<number | null> {
    const target = await this.workspace(caller, workspaceId, 'edit');
    if (isAdmin(caller)) return null;
    const requiredAudience = await this.findRequiredAudience(caller, object);
    if (source.role !== 'owner' && !(await this.isSeenByAllOf(source, target)))
      throw forbidden(
        'workspace_id: not everyone who sees this workspace sees the other one; only its owner or an admin can move something there',
      );
    const keptId = requiredAudience ?? (source.role === 'owner' ? null : source.workspaceId);
    if (keptId === workspaceId) return null;
    if (
      requiredAudience !== null &&
      !(await this.isSeenByAllOf({ ...target, workspaceId: requiredAudience }, target))
    )
      throw forbidden(
        `workspace_id: an editor moved this here from workspace ${requiredAudience}, and not everyone who sees that workspace sees the other one; only its owner or an admin can move it there`,
      );
    return keptId;
  }

  /**
   * Throws 409 where something in the workspace was moved in by an editor and a change of visibility would hide it from people who see the
   * workspace that it came from. Admins may do that, since they may move it.
   */
  async checkVisibility(
    caller: Caller,
    scope: WorkspaceScope,
    visibility: WorkspaceVisibility,
  ): Promise<void> {
    if (isAdmin(caller)) return;
    const target = await this.loadAudience(scope);
    if (target === null) throw notFound('workspace');
    for (const workspaceId of await this.store.read.audit.listMoveAudiences(
      scope.organizationId,
      scope.workspaceId,
    )) {
      const source = await this.loadAudience({ ...scope, workspaceId });
      if (source === null || source.ownerId === caller.userId) continue;
      if (!includesAudience(source, { ...target, visibility }))
        throw conflict(
          'visibility_needed',
          `workspace_visibility: this workspace holds something that an editor moved here from workspace ${workspaceId}, which more people see; move it back first, or ask an admin`,
        );
    }
  }

  /** Returns the workspace of another owner whose members must keep seeing the object; null if there is none. */
  private async findRequiredAudience(
    { organizationId, userId }: Caller,
    { type, id }: { type: MovableType; id: number },
  ): Promise<number | null> {
    const workspaceId = await this.store.read.audit.findMoveAudience(organizationId, type, id);
    if (workspaceId === null) return null;
    const row = await this.store.read.workspaces.find(organizationId, 0, workspaceId);
    return row === null || row.owner_id === userId ? null : workspaceId;
  }

  private async isSeenByAllOf(from: InWorkspace, to: InWorkspace): Promise<boolean> {
    const [source, target] = await Promise.all([this.loadAudience(from), this.loadAudience(to)]);
    if (source === null || target === null) throw notFound('workspace');
    return includesAudience(source, target);
  }

  /** Returns null if the workspace is deleted. */
  private async loadAudience(scope: InWorkspace) {
    const { workspaces } = this.store.read;
    const [row, members] = await Promise.all([
      workspaces.find(scope.organizationId, 0, scope.workspaceId),
      workspaces.listMembers(scope),
    ]);
    if (row === null) return null;
    return {
      ownerId: row.owner_id,
      visibility: row.workspace_visibility,
      memberIds: members.map((member) => member.user_id),
    };
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

  /** Like `survey`, also for a deleted survey; whether it is deleted is for the operation to check. */
  async deletedSurvey({
    caller,
    surveyId,
    need,
    workspaceId,
  }: {
    caller: Caller;
    surveyId: number;
    need: AccessLevel;
    workspaceId?: number | undefined;
  }): Promise<SurveyScope> {
    const { organizationId, userId } = caller;
    const row = await this.store.read.workspaces.findForAnySurvey(organizationId, userId, surveyId);
    const narrowedAway = workspaceId !== undefined && row?.workspace_id !== workspaceId;
    return {
      ...scopeIn({ caller, row: narrowedAway ? null : row, need, action: 'deleted survey' }),
      surveyId,
    };
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
