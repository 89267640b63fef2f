import type { Caller } from '../../domain/access/caller.ts';
import { memberOn } from '../../http/access.ts';
import type { Services } from '../../services/services.ts';
import { requireAiAccess } from '../guards.ts';

/** Who may talk to what reads data, in sessions of their own. */
export const onChat = memberOn('AI access', ({ caller }: { caller: Caller }) => requireAiAccess(caller));

/** The session that the path names: the caller's own, about a survey that they still see. */
export const onChatSession = memberOn(
  'chat session: own; its survey: view; AI access',
  ({ services, caller, params }: { services: Services; caller: Caller; params: { uuid: string } }) => {
    requireAiAccess(caller);
    return services.chatSessions.resolveScope(caller, params.uuid);
  },
);

interface Talk {
  services: Services;
  caller: Caller;
  query: { workspace_id?: number | undefined };
  body: { session_id?: string | undefined; survey_id?: number | undefined };
}

/** The session and the survey that the body names, where it does. */
export const onTalk = memberOn(
  'survey: view (if given); chat session: own (if given); AI access',
  ({ services, caller, query, body }: Talk) => {
    requireAiAccess(caller);
    return services.chatSessions.resolveTurnScope(caller, { ...body, ...query });
  },
);
