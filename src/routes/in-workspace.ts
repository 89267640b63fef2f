import { z } from 'zod';
import type { Caller } from '../domain/access/caller.ts';
import type { AccessLevel } from '../domain/access/scopes.ts';
import { memberOn } from '../http/access.ts';
import { idParam } from '../http/paging.ts';
import { contradictingWorkspaceIds } from '../lib/error-messages.ts';
import type { Services } from '../services/services.ts';

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

/** Whether to include retired pages, questions and options. */
export const includeRetired = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional()
  .describe('Include retired pages, questions and options')
  .meta({ override: { type: 'boolean' } });

/** A field of the reply that a request can send back; ignored. */
export const readOnly = z.unknown().optional().describe('Read-only; ignored');
