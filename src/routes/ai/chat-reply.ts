import { z } from 'zod';
import { jsonObject } from '../../lib/json-value.ts';
import { findUnsupportedNumbers } from '../../domain/chat/number-support.ts';
import {
  CHAT_ROLES,
  CHAT_STATES,
  type ChatMessageRow,
  type ChatSessionRow,
  type ListedChatSessionRow,
} from '../../repositories/chat-sessions.ts';
import { inclusionCountsSchema } from '../selection-query.ts';

const figureSchema = z
  .strictObject({
    function: z.string().describe('Name of the function that looked up the statistic'),
    arguments: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    base: z
      .int()
      .nullable()
      .describe('Number of responses in the base; null: the function does not count responses'),
    counted: inclusionCountsSchema
      .nullable()
      .describe(
        'Counted and excluded responses; null: the function does not count responses, or the message was stored by an older ' +
          'version',
      ),
    result: jsonObject.describe('Result of the function, as the engine received it'),
  })
  .meta({ id: 'ChatFigure' });

const unsupportedSchema = z
  .array(z.string())
  .describe(
    'Numbers in the text that are not in the statistics of the answer; each is followed by `[unsupported]`',
  );

const messageSchema = z
  .strictObject({
    message_id: z.int(),
    role: z.enum(CHAT_ROLES),
    content: z.string().describe('Text of the message; for an unfinished or stopped answer, the text so far'),
    figures: z.array(figureSchema).describe('For an answer: the statistics that it is based on'),
    unsupported_numbers: unsupportedSchema,
    state: z.enum(CHAT_STATES),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ChatMessage' });

const session = {
  session_id: z.uuid(),
  survey_id: z.int().nullable().describe('null: no survey has been chosen yet'),
  created_at: z.iso.datetime(),
  last_message_at: z.iso.datetime(),
};

export const sessionSchema = z
  .strictObject({ ...session, messages: z.array(messageSchema) })
  .meta({ id: 'ChatSession' });

export const listedSessionSchema = z
  .strictObject({
    ...session,
    survey_name: z.string().nullable(),
    message_count: z.int().nonnegative(),
    first_message: z.string().nullable().describe('Beginning of the first message, at most 200 characters'),
  })
  .meta({ id: 'ListedChatSession' });

const count = z.int().nonnegative();

/** The data of each event, one form per event name. */
export const chatEventSchema = z.union([
  z
    .strictObject({
      session_id: z.uuid(),
      message_id: z.int(),
      engine: z.enum(['openai', 'built-in']),
      model: z.string(),
    })
    .meta({ id: 'ChatStartEvent', description: 'Event `start`' }),
  z
    .strictObject({ text: z.string() })
    .meta({ id: 'ChatDeltaEvent', description: 'Event `delta`: the next part of the text' }),
  z
    .strictObject({ figures: z.array(figureSchema) })
    .meta({ id: 'ChatFiguresEvent', description: 'Event `figures`: statistics that were looked up' }),
  z
    .strictObject({
      session_id: z.uuid(),
      message_id: z.int(),
      usage: z.strictObject({ input_tokens: count, output_tokens: count }),
      credits_used: count,
      credits_remaining: count,
      figures: z.array(figureSchema).describe('All statistics that the answer is based on'),
      unsupported_numbers: unsupportedSchema,
    })
    .meta({ id: 'ChatDoneEvent', description: 'Event `done`: the last event of a complete answer' }),
  z
    .strictObject({ message: z.string(), code: z.string() })
    .meta({ id: 'ChatErrorEvent', description: 'Event `error`: the last event of a failed answer' }),
]);

const presentCommon = ({ session_id, survey_id, created_at, last_message_at }: ChatSessionRow) => ({
  session_id,
  survey_id,
  created_at: created_at.toISOString(),
  last_message_at: last_message_at.toISOString(),
});

export const presentSession = (
  row: ChatSessionRow,
  messages: readonly ChatMessageRow[],
): z.input<typeof sessionSchema> => ({
  ...presentCommon(row),
  messages: messages.map((message) => ({
    message_id: message.message_id,
    role: message.message_role,
    content: message.content,
    figures: message.figures.map(({ function: name, arguments: given, base, counted, result }) => {
      return { function: name, arguments: given, base, counted: counted ?? null, result: { ...result } };
    }),
    unsupported_numbers: message.message_role === 'assistant' ? findUnsupportedNumbers(message.content) : [],
    state: message.message_state,
    created_at: message.created_at.toISOString(),
  })),
});

export const presentListedSession = (row: ListedChatSessionRow): z.input<typeof listedSessionSchema> => ({
  ...presentCommon(row),
  survey_name: row.survey_name,
  message_count: row.message_count,
  first_message: row.first_message,
});
