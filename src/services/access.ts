import { type Caller, isAdmin } from '../domain/access/caller.ts';
import {
  allows,
  type DashboardScope,
  type Need,
  type ReportScope,
  type RespondentScope,
  type SurveyScope,
  type WaveScope,
  type WorkspaceScope,
} from '../domain/access/scopes.ts';
import { isSeenByAllOf, workspaceRoleOf } from '../domain/access/workspace-role.ts';
import { coalesce } from '../lib/coalesce.ts';
import { forbidden, notFound } from '../lib/errors.ts';
import type { Store } from '../repositories/store.ts';
import type { WorkspaceRowForUser } from '../repositories/workspaces.ts';

/** As much of a caller as decides what they may do. */
type Person = Pick<Caller, 'userId' | 'organizationId' | 'role'> & Partial<Pick<Caller, 'origin'>>;

const ACTIVE = 1;

/**
 * The one place that says who may do what with an object. What is invisible is missing (404);
 * what is visible but not allowed is forbidden (403).
 */
export class AccessService {
  private readonly store: Store;
  private readonly aroundSurvey: (
    key: string,
  ) => Promise<(WorkspaceRowForUser & { survey_id: number }) | undefined>;

  constructor(store: Store) {
    this.store = store;
    this.aroundSurvey = coalesce((keys) => store.detached(() => store.read.workspaces.aroundSurveys(keys)));
  }

  async workspace(caller: Caller, workspaceId: number, need: Need): Promise<WorkspaceScope> {
    const row = await this.store.read.workspaces.one(caller.organizationId, caller.userId, workspaceId);
    return scopeIn(caller, row, need, 'workspace');
  }

  /**
   * Whether the caller may move an object of `source` to another workspace. Needs an editor there, and the owner of `source` or an
   * admin, unless everyone who sees `source` sees the other workspace too: an editor takes nothing out of the sight of others.
   * Throws 404 and 403.
   */
  async checkMove(
    caller: Caller,
    source: Pick<DashboardScope, 'organizationId' | 'workspaceId' | 'role'>,
    workspaceId: number,
  ): Promise<void> {
    const target = await this.workspace(caller, workspaceId, 'edit');
    if (source.role === 'owner' || isAdmin(caller)) return;
    const [from, to] = await Promise.all([this.audience(source), this.audience(target)]);
    if (!isSeenByAllOf(from, to))
      throw forbidden(
        'workspace_id: not everyone who sees this workspace sees the other one; only its owner or an admin can move something there',
      );
  }

  private async audience(scope: Pick<DashboardScope, 'organizationId' | 'workspaceId'>) {
    const { workspaces } = this.store.read;
    const [row, members] = await Promise.all([
      workspaces.one(scope.organizationId, 0, scope.workspaceId),
      workspaces.members(scope),
    ]);
    if (row === null) throw notFound('workspace');
    return {
      ownerId: row.owner_id,
      visibility: row.workspace_visibility,
      memberIds: members.map((member) => member.user_id),
    };
  }

  /** `workspaceId`: what the query said; it narrows, so a survey of another workspace is missing. */
  async survey(caller: Person, surveyId: number, need: Need, workspaceId?: number): Promise<SurveyScope> {
    const row = (await this.aroundSurvey(`${caller.userId}:${surveyId}`)) ?? null;
    const narrowedAway = workspaceId !== undefined && row?.workspace_id !== workspaceId;
    return { ...scopeIn(caller, narrowedAway ? null : row, need, 'survey'), surveyId };
  }

  /** The same for a wave, by its survey. */
  async wave(caller: Caller, waveId: number, need: Need, workspaceId?: number): Promise<WaveScope> {
    const { organizationId, userId } = caller;
    const row = await this.store.read.workspaces.aroundWave(organizationId, userId, waveId);
    const narrowedAway = workspaceId !== undefined && row?.workspace_id !== workspaceId;
    const surveyId = row?.survey_id ?? 0;
    return { ...scopeIn(caller, narrowedAway ? null : row, need, 'wave'), surveyId, waveId };
  }

  /** The same for a respondent, by the workspace that they belong to. */
  async respondent(
    caller: Caller,
    respondentId: number,
    need: Need,
    workspaceId?: number,
  ): Promise<RespondentScope> {
    const { organizationId, userId } = caller;
    const row = await this.store.read.workspaces.aroundRespondent(organizationId, userId, respondentId);
    const narrowedAway = workspaceId !== undefined && row?.workspace_id !== workspaceId;
    return { ...scopeIn(caller, narrowedAway ? null : row, need, 'respondent'), respondentId };
  }

  /** The same for a report, by its workspace. */
  async report(caller: Person, reportId: number, need: Need, workspaceId?: number): Promise<ReportScope> {
    const { organizationId, userId } = caller;
    const row = await this.store.read.workspaces.aroundReport(organizationId, userId, reportId);
    const narrowedAway = workspaceId !== undefined && row?.workspace_id !== workspaceId;
    return { ...scopeIn(caller, narrowedAway ? null : row, need, 'report'), reportId };
  }

  /** A dashboard by its workspace; looked at, also by whoever was given it, themselves or through a group. */
  async dashboard(
    caller: Person,
    dashboardId: number,
    need: Need,
    workspaceId?: number,
  ): Promise<DashboardScope> {
    const { organizationId, userId, origin } = caller;
    const row = await this.store.read.workspaces.aroundDashboard(organizationId, userId, dashboardId);
    if (row === null || (workspaceId !== undefined && row.workspace_id !== workspaceId))
      throw notFound('dashboard');
    if (roleIn(caller, row) === null && row.is_given) {
      if (need !== 'view') throw forbidden('You were given this dashboard to look at, not to change it');
      const scope = { userId, organizationId, workspaceId: row.workspace_id, dashboardId, role: null };
      return origin === undefined ? scope : { ...scope, origin };
    }
    return { ...scopeIn(caller, row, need, 'dashboard'), dashboardId };
  }

  /** The same for somebody who is not there: what they started and left to run has the rights that they have now. */
  async surveyOfUser(
    user: Pick<Caller, 'userId' | 'organizationId'>,
    surveyId: number,
    need: Need,
  ): Promise<SurveyScope> {
    return this.survey(await this.acting(user, 'survey'), surveyId, need);
  }

  /** Somebody as they are now; 404 of what they want where they may act no more. */
  async acting(
    { organizationId, userId }: Pick<Caller, 'userId' | 'organizationId'>,
    what: string,
  ): Promise<Pick<Caller, 'userId' | 'organizationId' | 'role' | 'aiAccess'>> {
    const row = await this.store.read.users.actingIn(organizationId, userId);
    if (row?.user_status !== ACTIVE) throw notFound(what);
    return { organizationId, userId, role: row.user_role, aiAccess: row.ai_access };
  }

  /**
   * The workspace of a request that names none by its path: the given one, else the current one of the session or key,
   * else the user's oldest. 404 when the user sees no workspace at all.
   */
  async workspaceContext(
    caller: Caller,
    workspaceId: number | undefined,
    need: Need,
  ): Promise<WorkspaceScope> {
    if (workspaceId !== undefined) return this.workspace(caller, workspaceId, need);
    const visible = await this.visibleWorkspaces(caller);
    const current = visible.find((one) => one.row.workspace_id === caller.currentWorkspaceId) ?? visible[0];
    return scopeIn(caller, current?.row ?? null, need, 'workspace');
  }

  /** What the caller sees, oldest first, with their role in each. */
  async visibleWorkspaces(caller: Caller): Promise<{ row: WorkspaceRowForUser; scope: WorkspaceScope }[]> {
    const rows = await this.store.read.workspaces.forUser(caller.organizationId, caller.userId);
    return rows.flatMap((row) => {
      const role = roleIn(caller, row);
      return role === null ? [] : [{ row, scope: scopeIn(caller, row, 'view', 'workspace') }];
    });
  }
}

function roleIn(caller: Person, row: WorkspaceRowForUser) {
  const workspace = { ownerId: row.owner_id, visibility: row.workspace_visibility };
  return workspaceRoleOf(caller, workspace, row.member_role);
}

function scopeIn(caller: Person, row: WorkspaceRowForUser | null, need: Need, what: string): WorkspaceScope {
  if (row === null || row.organization_id !== caller.organizationId) throw notFound(what);
  const role = roleIn(caller, row);
  if (role === null) throw notFound(what);
  if (!allows(role, need)) {
    throw forbidden(
      `Your role in this workspace is ${role}; this needs ${need === 'own' ? 'its owner' : 'an editor'}`,
    );
  }
  const { userId, origin } = caller;
  const scope = { userId, organizationId: row.organization_id, workspaceId: row.workspace_id, role };
  return origin === undefined ? scope : { ...scope, origin };
}
