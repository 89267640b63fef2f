import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../../../domain/access/caller.ts';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import { parseEventId } from '../../../domain/chat/answer-stream.ts';
import { anySignal } from '../../../lib/concurrency.ts';
import { contradictingFields, limitReached } from '../../../lib/error-messages.ts';
import { AppError, conflict, gone, invalid, notFound, unavailable } from '../../../lib/errors.ts';
import type { Ids } from '../../../lib/ids.ts';
import type {
  ChatAnswerRow,
  ChatMessageRow,
  ChatOwner,
  ChatSessionRow,
  ListedChatSessionRow,
} from '../../../repositories/chat-sessions.ts';
import type { JobSignals } from '../../../repositories/jobs.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { Store } from '../../../repositories/store.ts';
import type { AccessService } from '../../access.ts';
import type { ChatPrompt } from './answer-engines.ts';
import {
  type AnswerEvent,
  type AnswerGenerator,
  type AnswerLog,
  type OpenedAnswer,
  toAnswerEvent,
} from './answer-generator.ts';
import type { PromptBuilder } from './prompt-builder.ts';

/** Maximum stored messages of a session, questions and answers. */
const MAX_MESSAGES = 400;
const POLL_INTERVAL_MS = 200;
const EVENT_BATCH_SIZE = 500;
const ABANDONED_BATCH_SIZE = 500;
const EVENT_RETENTION_HOURS = 24;
const DELETE_BATCH_SIZE = 20_000;

interface ChatTurn {
  scope: ChatTurnScope;
  message: string;
  signal: AbortSignal;
}

/** Thrown when another process has continued the answer first. */
class AlreadyContinuedError extends Error {}

/** Chat about a survey. Stores questions, streams answers as events, and resumes interrupted answers. */
export class ChatService {
  private readonly store: Store;
  private readonly access: AccessService;
  private readonly ids: Ids;
  private readonly signals: JobSignals;
  private readonly prompts: PromptBuilder;
  private readonly generator: AnswerGenerator;

  constructor(
    {
      store,
      access,
      ids,
      jobSignals,
    }: { store: Store; access: AccessService; ids: Ids; jobSignals: JobSignals },
    conversations: PromptBuilder,
    maker: AnswerGenerator,
  ) {
    this.store = store;
    this.access = access;
    this.ids = ids;
    this.signals = jobSignals;
    this.prompts = conversations;
    this.generator = maker;
  }

  /**
   * Throws 402 `insufficient_credits` or 409 `answer_under_way` before the first event. When the signal aborts, generation stops, the
   * tokens used are billed, and the answer can be resumed.
   */
  async ask({ scope, message, signal }: ChatTurn): Promise<AsyncIterable<AnswerEvent>> {
    const { caller, session, survey } = scope;
    const { organizationId, userId } = caller;
    const owner = { organizationId, userId };
    const surveyId = survey?.surveyId ?? null;
    const sessionId = session?.session_id ?? null;
    const prompt = await this.prompts.buildPrompt({ ...scope, sessionId }, message);
    const log = await this.startAnswer({
      prompt,
      purpose: { ...owner, surveyId },
      signal,
      open: (reservationId, worker) =>
        this.store.transaction(async (repositories): Promise<OpenedAnswer> => {
          const { chatSessions } = repositories;
          const chatTurn =
            sessionId === null
              ? await chatSessions.create(owner, this.ids.uuid(), surveyId)
              : await chatSessions.lock(owner, sessionId);
          if (chatTurn === null) throw notFound('chat session');
          await refuseBusyOrFull(repositories, chatTurn.session_id);
          await chatSessions.recordMessage(chatTurn.session_id, surveyId);
          await chatSessions.createMessages(chatTurn.session_id, { role: 'user', content: message });
          const answer = { role: 'assistant', ...worker, reservationId } as const;
          const messageId = await chatSessions.createMessages(chatTurn.session_id, answer);
          return { sessionId: chatTurn.session_id, messageId, lastEvent: 0 };
        }),
    });
    return log?.events(0, signal) ?? EMPTY_STREAM;
  }

  /** Streams the rest of an answer after the given event: stored events first, then new ones, whichever process generates them. */
  async resume(chatTurn: ChatTurn, lastEventId: string): Promise<AsyncIterable<AnswerEvent>> {
    const position = parseEventId(lastEventId);
    if (position === null)
      throw invalid('Last-Event-ID', 'must be the id of an event of the answer, such as 17-4');
    const { scope } = chatTurn;
    const { caller } = scope;
    const answer = await this.findAnswer(chatTurn, position.messageId);
    if (scope.session !== null && scope.session.session_id !== answer.session_id) throw notFound('answer');
    const survey =
      answer.survey_id === null
        ? null
        : await this.access.survey({
            caller,
            surveyId: answer.survey_id,
            need: 'view',
            workspaceId: scope.workspaceId,
          });
    if (scope.survey !== null && scope.survey.surveyId !== answer.survey_id) throw notFound('answer');
    if (answer.question !== chatTurn.message)
      throw invalid('message', 'differs from the question of this answer; send the original message');
    if (answer.last_event === 0 && !isBeingGenerated(answer))
      throw gone('events_forgotten', 'The events of this answer have expired; read the session instead');
    if (position.number > answer.last_event)
      throw invalid(
        'Last-Event-ID',
        `is not an event of this answer; its last event is ${answer.last_event}`,
      );
    const own = { ...chatTurn, scope: { ...scope, survey } };
    const log = isInterrupted(answer) ? await this.continueAnswer(own, answer.message_id) : null;
    return this.streamRest(own, position, log);
  }

  /** Ends answers of crashed processes and deletes expired events. */
  async cleanUp(): Promise<void> {
    const { chatSessions } = this.store.read;
    await chatSessions.endAbandonedAnswers(ABANDONED_BATCH_SIZE);
    await chatSessions.deleteOldEvents(EVENT_RETENTION_HOURS, DELETE_BATCH_SIZE);
  }

  private async findAnswer({ scope: { caller } }: ChatTurn, messageId: number): Promise<ChatAnswerRow> {
    const { organizationId, userId } = caller;
    const answer = await this.store.read.chatSessions.findAnswer({ organizationId, userId }, messageId);
    if (answer === null) throw notFound('answer');
    return answer;
  }

  private async *streamRest(
    chatTurn: ChatTurn,
    position: { messageId: number; number: number },
    startedLog: AnswerLog | null,
  ): AsyncGenerator<AnswerEvent> {
    const { messageId } = position;
    const { chatSessions } = this.store.read;
    let { number } = position;
    let log = startedLog;
    for (;;) {
      // Reads the state before the events: an answer that has ended gets no further events.
      const progress = await chatSessions.findProgress(messageId);
      if (progress === null) throw notFound('answer');
      for (let more = true; more;) {
        const events = await chatSessions.listEventsAfter(messageId, number, EVENT_BATCH_SIZE);
        for (const event of events) yield toAnswerEvent(messageId, event);
        number = events.at(-1)?.event_number ?? number;
        more = events.length === EVENT_BATCH_SIZE;
      }
      if (log !== null) {
        yield* log.events(number, chatTurn.signal);
        return;
      }
      if (chatTurn.signal.aborted || this.signals.closed.aborted) return;
      if (isInterrupted(progress)) log = await this.continueAnswer(chatTurn, messageId);
      else if (!isBeingGenerated(progress)) return;
      if (log === null) await sleep(POLL_INTERVAL_MS);
    }
  }

  /** Returns null if the client has disconnected. */
  private async startAnswer({
    prompt,
    purpose,
    signal,
    open,
  }: {
    prompt: ChatPrompt;
    purpose: ChatOwner & { surveyId: number | null };
    signal: AbortSignal;
    open: Parameters<AnswerGenerator['start']>[0]['open'];
  }): Promise<AnswerLog | null> {
    const { closed } = this.signals;
    try {
      return await this.generator.start({ prompt, purpose, stopping: anySignal(signal, closed), open });
    } catch (error) {
      if (signal.aborted) return null;
      if (closed.aborted) throw unavailable('The server is stopping; try again', 1, 'try_again');
      throw error;
    }
  }

  /** Returns null if another process continues the answer. */
  private async continueAnswer(chatTurn: ChatTurn, messageId: number): Promise<AnswerLog | null> {
    const answer = await this.findAnswer(chatTurn, messageId);
    if (!isInterrupted(answer)) return null;
    if (!answer.is_last)
      throw conflict(
        'conversation_changed',
        'A later message was sent; this answer can no longer be continued',
      );
    const { scope, message, signal } = chatTurn;
    const { organizationId, userId } = scope.caller;
    const owner = { organizationId, userId };
    const {
      session_id: sessionId,
      content,
      figures,
      planned_content: planned,
      last_event: lastEvent,
    } = answer;
    const prompt = await this.prompts.buildPrompt({ ...scope, sessionId }, message, {
      // The question is the message before the answer.
      messageId: answer.message_id,
      before: { text: content, figures, planned },
    });
    const purpose = { ...owner, surveyId: answer.survey_id };
    try {
      return await this.startAnswer({
        prompt,
        purpose,
        signal,
        open: (reservationId) =>
          this.store.transaction(async ({ chatSessions }): Promise<OpenedAnswer> => {
            if ((await chatSessions.lock(owner, sessionId)) === null) throw notFound('answer');
            if (!(await chatSessions.takeOver(messageId, reservationId))) throw new AlreadyContinuedError();
            return { sessionId, messageId, lastEvent };
          }),
      });
    } catch (error) {
      if (error instanceof AlreadyContinuedError) return null;
      throw error;
    }
  }
}

type Progress = Pick<ChatAnswerRow, 'message_state' | 'is_alive'>;
const isBeingGenerated = ({ message_state: state, is_alive: alive }: Progress) =>
  state === 'answering' && alive;
const isInterrupted = (answer: Progress) =>
  answer.message_state === 'stopped' || (answer.message_state === 'answering' && !answer.is_alive);

/** Throws 409 if an answer is being generated or the session is full. */
async function refuseBusyOrFull({ chatSessions }: Repositories, sessionId: string): Promise<void> {
  if (await chatSessions.isAnswering(sessionId))
    throw conflict(
      'answer_under_way',
      'This session is generating an answer; wait for it or start another session',
    );
  if ((await chatSessions.countMessages(sessionId)) >= MAX_MESSAGES)
    throw conflict(
      'session_full',
      `${limitReached({ owner: 'A session', max: MAX_MESSAGES, unit: 'message' })}; start another session`,
    );
}

/** For clients that have disconnected. */
const EMPTY_STREAM: AsyncIterable<AnswerEvent> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};

/** Proves that the session belongs to the caller, who can see its survey. */
interface ChatSessionScope extends ChatOwner {
  session: ChatSessionRow;
}

/** The session and survey of a message. */
interface ChatTurnScope {
  caller: Caller;
  /** null: a new session is created. */
  session: ChatSessionRow | null;
  /** null: the message is not about a survey. */
  survey: SurveyScope | null;
  workspaceId: number | undefined;
}

interface SessionPage {
  after: { sortKey: number; sessionId: string } | null;
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
      throw contradictingFields(
        'survey_id',
        surveyId,
        `the session is about survey ${about}; start another session`,
      );
    if (about === null) {
      if (workspaceId !== undefined) await this.access.workspace(caller, workspaceId, 'view');
      return { caller, session, survey: null, workspaceId };
    }
    return {
      caller,
      session,
      survey: await this.access.survey({ caller, surveyId: about, need: 'view', workspaceId }),
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
  async list(caller: Caller, part: SessionPage): Promise<{ found: ListedChatSessionRow[]; total: number }> {
    const visible = await this.access.listVisibleWorkspaces(caller);
    const workspaceIds = visible.map(({ scope }) => scope.workspaceId);
    return this.store.snapshot(async ({ chatSessions }) => {
      const found = await chatSessions.listByUser(caller, workspaceIds, part);
      return { found, total: await chatSessions.countByUser(caller, workspaceIds) };
    });
  }

  /** Deletes the session with its messages; a running answer ends. */
  async remove(scope: ChatSessionScope): Promise<void> {
    await this.store.read.chatSessions.remove(scope, scope.session.session_id);
  }

  private async refuseHiddenSurvey(caller: Caller, surveyId: number): Promise<void> {
    try {
      await this.access.survey({ caller, surveyId, need: 'view' });
    } catch (error) {
      throw error instanceof AppError && error.kind === 'not_found' ? notFound('chat session') : error;
    }
  }
}
