import { requireAiAccess } from '../domain/access/ai-access.ts';
import type { Caller } from '../domain/access/caller.ts';
import type { AccessLevel } from '../domain/access/scopes.ts';
import { memberOn, userOn } from '../http/access.ts';
import { contradictingWorkspaceIds } from '../lib/error-messages.ts';
import { notFound } from '../lib/errors.ts';
import type { Services } from '../services/services.ts';

export { requireAiAccess };

interface Narrowed {
  workspace_id?: number | undefined;
}

/** Access to the survey that the path names as :id or :surveyId. */
export function onSurvey(need: AccessLevel) {
  return memberOn(
    `survey: ${need}`,
    (context: {
      services: Services;
      caller: Caller;
      params: { id: number } | { surveyId: number };
      query: Narrowed | undefined | Record<string, unknown>;
    }) => {
      const surveyId = 'id' in context.params ? context.params.id : context.params.surveyId;
      const narrowed = (context.query as Narrowed | undefined)?.workspace_id;
      return context.services.access.survey(context.caller, surveyId, need, narrowed);
    },
  );
}

/** The same, for who may use what works with language models: 403 `ai_disabled`. */
export function onSurveyWithAi(need: AccessLevel) {
  const survey = onSurvey(need);
  return memberOn(`survey: ${need}; AI access`, (context: Parameters<(typeof survey)['authorize']>[0]) => {
    requireAiAccess(context.caller);
    return survey.authorize(context);
  });
}

/** Access to the survey that the body names as survey_id. */
export function onSurveyNamed(need: AccessLevel) {
  return memberOn(
    `survey: ${need}`,
    (context: { services: Services; caller: Caller; query: Narrowed; body: { survey_id: number } }) =>
      context.services.access.survey(
        context.caller,
        context.body.survey_id,
        need,
        context.query.workspace_id,
      ),
  );
}

interface Form {
  query: Narrowed;
  body: { fields: Narrowed };
}

/** The workspace that the query or the form of a file names. */
export function workspaceNamed({ query, body }: Form): number | undefined {
  const asked = query.workspace_id;
  const said = body.fields.workspace_id;
  if (asked !== undefined && said !== undefined && asked !== said)
    throw contradictingWorkspaceIds(said, asked);
  return asked ?? said;
}

/** As onSurvey; `workspace_id` may also be a field before the file. */
export function onSurveyOfForm(need: AccessLevel) {
  return memberOn(
    `survey: ${need}`,
    (context: Form & { services: Services; caller: Caller; params: { surveyId: number } }) =>
      context.services.access.survey(context.caller, context.params.surveyId, need, workspaceNamed(context)),
  );
}

interface OnDashboard {
  services: Services;
  caller: Caller;
  params: { id: number };
  query: Narrowed | undefined | Record<string, unknown>;
}

const dashboardOf = ({ services, caller, params, query }: OnDashboard, need: AccessLevel) =>
  services.access.dashboard(caller, params.id, need, (query as Narrowed | undefined)?.workspace_id);

/** Access to the dashboard that the path names as :id, for members by their role in its workspace. */
export const onDashboard = (need: AccessLevel) =>
  memberOn(`dashboard: ${need}`, (context: OnDashboard) => dashboardOf(context, need));

/** To look at it, also for clients and whoever else was given it. */
export const onGivenDashboard = userOn('dashboard: view, or shared', (context: OnDashboard) =>
  dashboardOf(context, 'view'),
);

/** Access to the report that the path names as :reportId. */
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
      query: Narrowed;
    }) => services.access.report(caller, params.reportId, need, query.workspace_id),
  );

/** Access to the workspace that the path names as :id; another one in the query is missing. */
export function onWorkspace(need: AccessLevel) {
  return memberOn(
    `workspace: ${need}`,
    (context: {
      services: Services;
      caller: Caller;
      params: { id: number };
      query: Narrowed | undefined | Record<string, unknown>;
    }) => {
      const narrowed = (context.query as Narrowed | undefined)?.workspace_id;
      if (narrowed !== undefined && narrowed !== context.params.id) throw notFound('workspace');
      return context.services.access.workspace(context.caller, context.params.id, need);
    },
  );
}
