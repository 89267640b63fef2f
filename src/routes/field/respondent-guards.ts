import { z } from 'zod';
import type { Caller } from '../../domain/access/caller.ts';
import type { AccessLevel } from '../../domain/access/scopes.ts';
import { memberOn } from '../../http/access.ts';
import { idParam } from '../../http/paging.ts';
import type { Services } from '../../services/services.ts';

export const respondentParams = z.strictObject({ respondentId: idParam });

/** Query of operations on a respondent. */
export const respondentQuery = z.strictObject({
  workspace_id: idParam
    .optional()
    .describe('The workspace of the respondent. 404 if it is in another workspace'),
});

/** Access to the respondent in the path, by the permission on their workspace. */
export function onRespondent(need: AccessLevel) {
  return memberOn(
    `workspace: ${need}`,
    (context: {
      services: Services;
      caller: Caller;
      params: z.output<typeof respondentParams>;
      query: z.output<typeof respondentQuery>;
    }) =>
      context.services.access.respondent(
        context.caller,
        context.params.respondentId,
        need,
        context.query.workspace_id,
      ),
  );
}
