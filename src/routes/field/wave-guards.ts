import { z } from 'zod';
import type { Caller } from '../../domain/access/caller.ts';
import type { AccessLevel } from '../../domain/access/scopes.ts';
import { memberOn } from '../../http/access.ts';
import { idText } from '../../http/paging.ts';
import type { Services } from '../../services/services.ts';

export const waveParams = z.strictObject({ id: idText });

/** Query of operations whose path has the wave id. */
export const waveQuery = z.strictObject({
  workspace_id: idText.optional().describe('The workspace of the wave; another one is 404'),
});

/** Access to the survey of the wave that the path names. */
export function onWave(need: AccessLevel) {
  return memberOn(
    `survey: ${need}`,
    (context: {
      services: Services;
      caller: Caller;
      params: z.output<typeof waveParams>;
      query: z.output<typeof waveQuery>;
    }) => context.services.access.wave(context.caller, context.params.id, need, context.query.workspace_id),
  );
}
