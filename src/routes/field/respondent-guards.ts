import { z } from 'zod';
import type { Caller } from '../../domain/access/caller.ts';
import type { AccessLevel } from '../../domain/access/scopes.ts';
import { memberOn } from '../../http/access.ts';
import { idText } from '../../http/paging.ts';
import type { Services } from '../../services/services.ts';

export const respondentParams = z.strictObject({ respondentId: idText });

/** Query of operations whose path has the respondent id. */
export const respondentQuery = z.strictObject({
  workspace_id: idText.optional().describe('The workspace of the respondent; another one is 404'),
});

/** Access to the respondent that the path names, by the workspace that they belong to. */
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
