import type { Caller } from '../../../domain/access/caller.ts';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import { contradicts } from '../../../lib/error-messages.ts';
import type { Ids } from '../../../lib/ids.ts';
import { AppError, notFound } from '../../../lib/errors.ts';
import type {
  ChatMessageRow,
  ChatOwner,
  ChatSessionRow,
  ListedChatSessionRow,
} from '../../../repositories/chat-sessions.ts';
import type { Store } from '../../../repositories/store.ts';
import type { AccessService } from '../../access.ts';

/** Proves that the session belongs to the caller, who can see its survey. */
export interface ChatSessionScope extends ChatOwner {
  session: ChatSessionRow;
}

/** The session and survey of a message. */
export interface ChatTurnScope {
  caller: Caller;
  /** null: a new session is created. */
  session: ChatSessionRow | null;
  /** null: the message is not about a survey. */
  survey: SurveyScope | null;
  workspaceId: number | undefined;
}

interface SessionPage {
  past: { sortKey: number; sessionId: string } | null;
  skip: number;
  limit: number;
}

/** Larger than the maximum number of messages. */
const ALL_MESSAGES = 1_000_000;

/** Chat sessions; each belongs to one user. */
export class ChatSessionService {
  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
    private readonly ids: Ids,
  ) {}

  /** Throws 404 unless the session belongs to the caller, who can still see its survey. */
  async resolveScope(caller: Caller, sessionId: string): Promise<ChatSessionScope> {
    const { organizationId, userId } = caller;
    const session = await this.store.read.chatSessions.find({ organizationId, userId }, sessionId);
    if (session === null) throw notFound('chat session');
    if (session.survey_id !== null) await this.refuseHiddenSurvey(caller, session.survey_id);
    return { organizationId, userId, session };
  }

  /** Resolves the scope of a message. A session without a survey takes that of the message; throws 400 if they differ. */
  async resolveTurnScope(
    caller: Caller,
    request: {
      session_id?: string | undefined;
      survey_id?: number | undefined;
      workspace_id?: number | undefined;
    },
  ): Promise<ChatTurnScope> {
    const { survey_id: surveyId, session_id: sessionId, workspace_id: workspaceId } = request;
    const session = sessionId === undefined ? null : (await this.resolveScope(caller, sessionId)).session;
    const about = session?.survey_id ?? surveyId ?? null;
    if (surveyId !== undefined && about !== surveyId)
      throw contradicts('survey_id', surveyId, `the session is about survey ${about}; start another session`);
    if (about === null) {
      if (workspaceId !== undefined) await this.access.workspace(caller, workspaceId, 'view');
      return { caller, session, survey: null, workspaceId };
    }
    return {
      caller,
      session,
      survey: await this.access.survey(caller, about, 'view', workspaceId),
      workspaceId,
    };
  }

  create(owner: ChatOwner, surveyId: number | null): Promise<ChatSessionRow> {
    return this.store.transaction(({ chatSessions }) =>
      chatSessions.create(owner, this.ids.uuid(), surveyId),
    );
  }

  listMessages({ session }: ChatSessionScope): Promise<ChatMessageRow[]> {
    return this.store.read.chatSessions.findLastMessage(session.session_id, ALL_MESSAGES);
  }

  /** The caller's sessions, most recently used first, without those about surveys that the caller can no longer see. */
  async list(
    caller: Caller,
    part: SessionPage,
  ): Promise<{ sessions: ListedChatSessionRow[]; total: number; more: boolean }> {
    const visible = await this.access.listVisibleWorkspaces(caller);
    const workspaceIds = visible.map(({ scope }) => scope.workspaceId);
    return this.store.snapshot(async ({ chatSessions }) => {
      const rows = await chatSessions.listByUser(caller, workspaceIds, { ...part, limit: part.limit + 1 });
      const total = await chatSessions.countByUser(caller, workspaceIds);
      return { sessions: rows.slice(0, part.limit), total, more: rows.length > part.limit };
    });
  }

  /** Deletes the session with its messages; a running answer ends. */
  async remove(scope: ChatSessionScope): Promise<void> {
    await this.store.read.chatSessions.remove(scope, scope.session.session_id);
  }

  private async refuseHiddenSurvey(caller: Caller, surveyId: number): Promise<void> {
    try {
      await this.access.survey(caller, surveyId, 'view');
    } catch (error) {
      throw error instanceof AppError && error.kind === 'not_found' ? notFound('chat session') : error;
    }
  }
}
