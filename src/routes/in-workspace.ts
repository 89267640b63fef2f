import { z } from 'zod';
import type { Caller } from '../domain/access/caller.ts';
import type { Need } from '../domain/access/scopes.ts';
import { memberOn } from '../http/access.ts';
import { idText } from '../http/paging.ts';
import { invalid } from '../lib/errors.ts';
import type { Services } from '../services/services.ts';

/** Access to the workspace that a request names in its query or body; naming none, it works in the current one. */
export function inWorkspace(need: Need) {
  return memberOn(
    `workspace: ${need}`,
    (context: {
      services: Services;
      caller: Caller;
      query: { workspace_id?: number | undefined };
      body: { workspace_id?: number | undefined } | Record<string, unknown> | undefined;
    }) => {
      const asked = context.query.workspace_id;
      const said = context.body?.workspace_id;
      const inBody = typeof said === 'number' ? said : undefined;
      if (asked !== undefined && inBody !== undefined && asked !== inBody) {
        throw invalid('workspace_id', `is ${inBody} in the body, but ${asked} in the query`);
      }
      return context.services.access.workspaceContext(context.caller, asked ?? inBody, need);
    },
  );
}

/** Of requests whose path names the survey. */
export const narrowedQuery = z.strictObject({
  workspace_id: idText.optional().describe('Narrows: a survey of another workspace is 404'),
});

/** Whether a list or a survey shows what was deleted after data existed. */
export const includeRetired = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional()
  .describe('true: retired pages, questions and options too; their data are still there')
  .meta({ override: { type: 'boolean' } });

/** A field of the reply that may be sent back, and is ignored. */
export const readOnly = z.unknown().optional().describe('Read-only: ignored');
