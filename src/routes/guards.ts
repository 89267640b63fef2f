import { z } from 'zod';
import { type Caller, requireAiAccess } from '../domain/access/caller.ts';
import {
  type AccessLevel,
  type DashboardScope,
  hasAccess,
  type ReportScope,
  type SurveyScope,
  type WorkspaceScope,
} from '../domain/access/scopes.ts';
import { memberOn, userOn } from '../http/access.ts';
import { idParam } from '../http/paging.ts';
import { contradictingWorkspaceIds } from '../lib/error-messages.ts';
import { notFound } from '../lib/errors.ts';
import type { MovableType } from '../repositories/workspaces.ts';
import type { Services } from '../services/services.ts';

export { requireAiAccess };

interface WorkspaceFilter {
  workspace_id?: number | undefined;
}

/** Access to the survey with the :id or :surveyId of the path. */
export function onSurvey(need: AccessLevel) {
  return memberOn(
    `survey: ${need}`,
    (context: {
      services: Services;
      caller: Caller;
      params: { id: number } | { surveyId: number };
      query: WorkspaceFilter | undefined | Record<string, unknown>;
    }) => {
      const surveyId = 'id' in context.params ? context.params.id : context.params.surveyId;
      const workspaceId = (context.query as WorkspaceFilter | undefined)?.workspace_id;
      return context.services.access.survey({ caller: context.caller, surveyId, need, workspaceId });
    },
  );
}

interface DeletedContext<Params> {
  services: Services;
  caller: Caller;
  params: Params;
  query: WorkspaceFilter;
}

const workspaceOfDeleted = (
  { services, caller, query }: DeletedContext<unknown>,
  type: MovableType,
  id: number,
): Promise<WorkspaceScope> =>
  services.access.deletedObject({ caller, object: { type, id }, workspaceId: query.workspace_id });

/** Edit access to the deleted survey with the :id of the path. */
export const onDeletedSurvey = memberOn(
  'deleted survey: edit',
  async (context: DeletedContext<{ id: number }>): Promise<SurveyScope> => {
    const surveyId = context.params.id;
    return { ...(await workspaceOfDeleted(context, 'survey', surveyId)), surveyId };
  },
);

/** Edit access to the deleted dashboard with the :id of the path. */
export const onDeletedDashboard = memberOn(
  'deleted dashboard: edit',
  async (context: DeletedContext<{ id: number }>): Promise<DashboardScope> => {
    const dashboardId = context.params.id;
    return { ...(await workspaceOfDeleted(context, 'dashboard', dashboardId)), dashboardId };
  },
);

/** Edit access to the deleted report with the :reportId of the path. */
export const onDeletedReport = memberOn(
  'deleted report: edit',
  async (context: DeletedContext<{ reportId: number }>): Promise<ReportScope> => {
    const { reportId } = context.params;
    return { ...(await workspaceOfDeleted(context, 'report', reportId)), reportId };
  },
);

/** Like onSurvey, and requires AI access: otherwise 403 `ai_disabled`. */
export function onSurveyWithAi(need: AccessLevel) {
  const survey = onSurvey(need);
  return memberOn(`survey: ${need}; AI access`, (context: Parameters<(typeof survey)['authorize']>[0]) => {
    requireAiAccess(context.caller);
    return survey.authorize(context);
  });
}

/** Access to the survey with the `survey_id` of the body. */
export function onSurveyInBody(need: AccessLevel) {
  return memberOn(
    `survey: ${need}`,
    (context: { services: Services; caller: Caller; query: WorkspaceFilter; body: { survey_id: number } }) =>
      context.services.access.survey({
        caller: context.caller,
        surveyId: context.body.survey_id,
        need,
        workspaceId: context.query.workspace_id,
      }),
  );
}

interface Form {
  query: WorkspaceFilter;
  body: { fields: WorkspaceFilter };
}

/** Returns the workspace id of the query or the form; 400 if they differ. */
export function workspaceOfForm({ query, body }: Form): number | undefined {
  const inQuery = query.workspace_id;
  const inForm = body.fields.workspace_id;
  if (inQuery !== undefined && inForm !== undefined && inQuery !== inForm)
    throw contradictingWorkspaceIds(inForm, inQuery);
  return inQuery ?? inForm;
}

/** Like onSurvey; `workspace_id` can also be a form field before the file. */
export function onSurveyWithForm(need: AccessLevel) {
  return memberOn(
    `survey: ${need}`,
    (context: Form & { services: Services; caller: Caller; params: { surveyId: number } }) =>
      context.services.access.survey({
        caller: context.caller,
        surveyId: context.params.surveyId,
        need,
        workspaceId: workspaceOfForm(context),
      }),
  );
}

interface DashboardContext {
  services: Services;
  caller: Caller;
  params: { id: number };
  query: WorkspaceFilter | undefined | Record<string, unknown>;
}

const dashboardOf = ({ services, caller, params, query }: DashboardContext, need: AccessLevel) =>
  services.access.dashboard({
    caller,
    dashboardId: params.id,
    need,
    workspaceId: (query as WorkspaceFilter | undefined)?.workspace_id,
  });

/** Access to the dashboard with the :id of the path, for members by their role in its workspace. */
export const onDashboard = (need: AccessLevel) =>
  memberOn(`dashboard: ${need}`, (context: DashboardContext) => dashboardOf(context, need));

/** View access to the dashboard, also for users it was shared with. */
export const onSharedDashboard = userOn('dashboard: view, or shared', (context: DashboardContext) =>
  dashboardOf(context, 'view'),
);

/** Access to the report with the :reportId of the path. */
export const onReport = (need: AccessLevel) =>
  memberOn(
    `report: ${need}`,
    ({
      services,
      caller,
      params,
      query,
    }: {
      services: Services;
      caller: Caller;
      params: { reportId: number };
      query: WorkspaceFilter;
    }) =>
      services.access.report({ caller, reportId: params.reportId, need, workspaceId: query.workspace_id }),
  );

/** Access to the workspace with the :id of the path; 404 if the query has another one. */
export function onWorkspace(need: AccessLevel) {
  return memberOn(
    `workspace: ${need}`,
    (context: {
      services: Services;
      caller: Caller;
      params: { id: number };
      query: WorkspaceFilter | undefined | Record<string, unknown>;
    }) => {
      const workspaceId = (context.query as WorkspaceFilter | undefined)?.workspace_id;
      if (workspaceId !== undefined && workspaceId !== context.params.id) throw notFound('workspace');
      return context.services.access.workspace(context.caller, context.params.id, need);
    },
  );
}

/** Access to the workspace of the query or body, by default the current one. */
export function inWorkspace(need: AccessLevel) {
  return memberOn(
    `workspace: ${need}`,
    (context: {
      services: Services;
      caller: Caller;
      query: { workspace_id?: number | undefined };
      body: { workspace_id?: number | undefined } | Record<string, unknown> | undefined;
    }) => {
      const inQuery = context.query.workspace_id;
      const bodyField = context.body?.workspace_id;
      const inBody = typeof bodyField === 'number' ? bodyField : undefined;
      if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody) {
        throw contradictingWorkspaceIds(inBody, inQuery);
      }
      return context.services.access.workspaceContext(context.caller, inQuery ?? inBody, need);
    },
  );
}

const workspaceOf = (object: string) =>
  z.strictObject({
    workspace_id: idParam
      .optional()
      .describe(`The workspace of the ${object}. 404 if it is in another workspace`),
  });

/** Query of operations on a survey. */
export const surveyQuery = workspaceOf('survey');
/** Query of operations on a dashboard. */
export const dashboardQuery = workspaceOf('dashboard');
/** Query of operations on a report. */
export const reportQuery = workspaceOf('report');

/** Query of operations that create an object in a workspace, which the body can name too. */
export const targetWorkspaceQuery = z.strictObject({
  workspace_id: idParam
    .optional()
    .describe('Default: `workspace_id` of the body, if it has one, otherwise the current workspace'),
});

/** Query parameter of lists: what is in the trash, instead of the others. */
export const deletedParam = (objects: string) =>
  z
    .literal('true', { error: 'must be true' })
    .optional()
    .describe(
      `The ${objects} that were deleted within \`DELETED_RETENTION_DAYS\` and that you can restore, instead of the others`,
    )
    .meta({ override: { type: 'boolean', const: true } });

/** Returns what an editor of the workspace can restore; nothing for other users and without a workspace. */
export async function listRestorable<Row>(
  scope: WorkspaceScope | null,
  list: (scope: WorkspaceScope) => Promise<{ found: Row[]; total: number }>,
): Promise<{ found: Row[]; total: number }> {
  return scope !== null && hasAccess(scope.role, 'edit') ? list(scope) : { found: [], total: 0 };
}

/** Whether to include retired pages, questions and options. */
export const includeRetired = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional()
  .describe('Include retired pages, questions and options')
  .meta({ override: { type: 'boolean' } });

/** A field of the reply that a request can send back; ignored. */
export const readOnly = z.unknown().optional().describe('Read-only; ignored');
