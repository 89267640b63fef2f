import { z } from 'zod';
import { findUnsupportedNumbers } from '../../domain/chat/number-support.ts';
import { CHAT_ROLES, CHAT_STATES, type ChatMessageRow } from '../../repositories/chat-messages.ts';
import type { ChatSessionRow, ListedChatSessionRow } from '../../repositories/chat-sessions.ts';
import { countedSchema } from '../selection-query.ts';

const figureSchema = z
  .strictObject({
    function: z.string().describe('What was looked up'),
    arguments: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    base: z.int().nullable().describe('The responses that it rests on; null: it is about none'),
    counted: countedSchema
      .nullable()
      .describe('Which responses it counts; null: it is about none, or of an earlier version'),
    result: z.looseObject({}).describe('What it gave, as whoever answers got it'),
  })
  .meta({ id: 'ChatFigure' });

const unsupportedSchema = z
  .array(z.string())
  .describe(
    'Numbers in the text that no figure of the answer has; `[unsupported]` follows each of them in the text',
  );

const messageSchema = z
  .strictObject({
    message_id: z.int(),
    role: z.enum(CHAT_ROLES),
    content: z
      .string()
      .describe('Of an answer that is being made, or that was stopped: as far as it was said'),
    figures: z.array(figureSchema).describe('Of an answer: what it rests on'),
    unsupported_numbers: unsupportedSchema,
    state: z.enum(CHAT_STATES),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ChatMessage' });

const session = {
  session_id: z.uuid(),
  survey_id: z.int().nullable().describe('null: about no survey yet'),
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
    first_message: z.string().nullable().describe('How it began, at most 200 characters'),
  })
  .meta({ id: 'ListedChatSession' });

const count = z.int().nonnegative();

/** The data of each event, by what the event is called. */
export const chatEventSchema = z.union([
  z
    .strictObject({
      session_id: z.uuid(),
      message_id: z.int(),
      engine: z.enum(['openai', 'built-in']),
      model: z.string(),
    })
    .describe('`start`'),
  z.strictObject({ text: z.string() }).describe('`delta`: the next words'),
  z.strictObject({ figures: z.array(figureSchema) }).describe('`figures`: what was looked up, as it is'),
  z
    .strictObject({
      session_id: z.uuid(),
      message_id: z.int(),
      usage: z.strictObject({ input_tokens: count, output_tokens: count }),
      credits_used: count,
      credits_remaining: count,
      figures: z.array(figureSchema).describe('All that the answer rests on'),
      unsupported_numbers: unsupportedSchema,
    })
    .describe('`done`: the last'),
  z.strictObject({ message: z.string(), code: z.string() }).describe('`error`: the last'),
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
