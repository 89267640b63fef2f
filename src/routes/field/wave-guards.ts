import { z } from 'zod';
import type { Caller } from '../../domain/access/caller.ts';
import type { AccessLevel } from '../../domain/access/scopes.ts';
import { memberOn } from '../../http/access.ts';
import { idParam } from '../../http/paging.ts';
import type { Services } from '../../services/services.ts';

export const waveParams = z.strictObject({ id: idParam });

/** Query of operations on a wave. */
export const waveQuery = z.strictObject({
  workspace_id: idParam.optional().describe('The workspace of the wave. 404 if it is in another workspace'),
});

/** Access to the wave in the path, by the permission on its survey. */
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
