import type { Caller } from '../../domain/access/caller.ts';
import { memberOn } from '../../http/access.ts';
import type { Services } from '../../services/services.ts';
import { requireAiAccess } from '../guards.ts';

/** Requires AI access; sessions are private to the caller. */
export const onChat = memberOn('AI access', ({ caller }: { caller: Caller }) => requireAiAccess(caller));

/** Access to the session in the path: it belongs to the caller, who can still view its survey. */
export const onChatSession = memberOn(
  'chat session: own; its survey: view; AI access',
  ({ services, caller, params }: { services: Services; caller: Caller; params: { uuid: string } }) => {
    requireAiAccess(caller);
    return services.chatSessions.resolveScope(caller, params.uuid);
  },
);

interface ChatTurnContext {
  services: Services;
  caller: Caller;
  query: { workspace_id?: number | undefined };
  body: { session_id?: string | undefined; survey_id?: number | undefined };
}

/** Access to the session and the survey in the body, both optional. */
export const onChatTurn = memberOn(
  'survey: view (if given); chat session: own (if given); AI access',
  ({ services, caller, query, body }: ChatTurnContext) => {
    requireAiAccess(caller);
    return services.chatSessions.resolveTurnScope(caller, { ...body, ...query });
  },
);
