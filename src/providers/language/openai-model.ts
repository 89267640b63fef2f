import type { OpenAI } from 'openai';
import { z } from 'zod';
import type { CreditReservation } from '../../domain/credits/credits.ts';
import { anySignal } from '../../lib/concurrency.ts';
import {
  cleanText,
  StreamTextCleaner,
  type ChatTurn,
  type Conversation,
  type FunctionCall,
  type LanguageModel,
  type ModelOutput,
  type StructuredQuestion,
} from './language-model.ts';
import { countTokens, type Dialect, OpenAiCalls, type OpenAiSettings } from './openai-calls.ts';
import { providerFailed } from './provider-failures.ts';
import {
  dataPrompt,
  repairPrompt,
  schemaTextOf,
  systemPrompt,
  truncateAnswer,
} from './structured-prompts.ts';

/** More than any text needs, so only servers that ignore the token limit exceed it. */
const MAX_CHARACTERS_PER_TOKEN = 8;
const MAX_CALLS = 16;

const isTooLong = (characters: number, maxOutputTokens: number): boolean =>
  characters > maxOutputTokens * MAX_CHARACTERS_PER_TOKEN;

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.unknown().optional(),
});

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z
                    .int()
                    .min(0)
                    .max(MAX_CALLS - 1),
                  id: z.string().nullish(),
                  function: z
                    .object({ name: z.string().nullish(), arguments: z.string().nullish() })
                    .nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
  usage: z.unknown().optional(),
});

/** Parses a complete reply of an untrusted server. Throws 502 if it is malformed. */
function readCompletion(reply: unknown): {
  text: string;
  isDeclined: boolean;
  /** The token limit ended the reply. */
  isCutOff: boolean;
  usage: unknown;
} {
  const parsed = completionSchema.safeParse(reply);
  if (!parsed.success) throw providerFailed('sent a malformed reply');
  const { choices, usage } = parsed.data;
  const [choice] = choices;
  if (choice === undefined) throw providerFailed('sent a malformed reply');
  const { message, finish_reason: reason } = choice;
  const isDeclined = typeof message.refusal === 'string' && message.refusal !== '';
  return { text: message.content ?? '', isDeclined, isCutOff: reason === 'length', usage };
}

/** Collects the chunks of a streamed reply. */
class StreamedReply {
  private readonly cleaner = new StreamTextCleaner();
  private readonly callsByIndex = new Map<number, { id: string; name: string; argumentsText: string }>();
  /** The received text and function calls, for the token estimate if the server reports no usage. */
  received = '';
  usage: unknown = null;

  /** Returns the text of the chunk. */
  addChunk(raw: unknown): string {
    const parsed = chunkSchema.safeParse(raw);
    if (!parsed.success) throw providerFailed('sent a malformed reply');
    if (parsed.data.usage) this.usage = parsed.data.usage;
    const delta = parsed.data.choices?.[0]?.delta;
    for (const { index, id, function: part } of delta?.tool_calls ?? []) {
      const call = this.callsByIndex.get(index) ?? { id: '', name: '', argumentsText: '' };
      this.callsByIndex.set(index, call);
      call.id ||= id ?? '';
      call.name += part?.name ?? '';
      call.argumentsText += part?.arguments ?? '';
      this.received += (part?.name ?? '') + (part?.arguments ?? '');
    }
    const text = delta?.content ?? '';
    this.received += text;
    return this.cleaner.clean(text);
  }

  /** Complete only after the stream has ended. */
  calls(): FunctionCall[] {
    return [...this.callsByIndex].map(([index, { id, name, argumentsText }]) => ({
      callId: cleanText(id).slice(0, 100) || `call_${index}`,
      name: cleanText(name).slice(0, 100),
      argumentsText: cleanText(argumentsText),
    }));
  }
}

type ReadResult<T> = { value: T } | { problems: string[] };

/** Parses the reply of a model with the schema. Returns the value, or the problems for a repair prompt. */
function readStructured<S extends z.ZodType>(schema: S, text: string): ReadResult<z.output<S>> {
  const found = findJson(text);
  if (found === undefined) return { problems: ['It is not JSON.'] };
  const parsed = schema.safeParse(found);
  if (parsed.success) return { value: parsed.data };
  return {
    problems: parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'The reply'}: ${message}`),
  };
}

/** Models without a JSON mode may put the JSON into a code block, after their reasoning, or inside prose. */
function findJson(text: string): unknown {
  const answer = text.replace(/^\s*<think>[^]*?<\/think>/, '').trim();
  for (const candidate of [answer, fencedBlock(answer), outermostObject(answer)]) {
    if (candidate === null) continue;
    try {
      return JSON.parse(candidate);
    } catch {
      // Try the next candidate.
    }
  }
  return undefined;
}

function fencedBlock(text: string): string | null {
  const start = text.indexOf('```');
  const end = text.lastIndexOf('```');
  if (start < 0 || end <= start) return null;
  return text.slice(start + 3, end).replace(/^[a-z]*\s/i, '');
}

function outermostObject(text: string): string | null {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  return start < 0 || end < start ? null : text.slice(start, end + 1);
}

type Message = OpenAI.ChatCompletionMessageParam;

/** The consumer stopped reading. */
const CLIENT_LEFT = new Error('The client disconnected');

/** OpenAI's Chat Completions API, or a compatible server. */
export class OpenAiModel implements LanguageModel {
  readonly engine = 'openai';
  readonly model: string;
  readonly concurrency: number;
  private readonly calls: OpenAiCalls;

  constructor(settings: OpenAiSettings) {
    this.model = settings.model;
    this.concurrency = settings.concurrency;
    this.calls = new OpenAiCalls(settings);
  }

  async completeStructured<S extends z.ZodType>(
    reservation: CreditReservation,
    question: StructuredQuestion<S>,
  ): Promise<z.output<S>> {
    const { schema, mayRetry = () => true } = question;
    return this.calls.withSlot(question.signal, async (signal) => {
      const request = { ...question, signal };
      const first = await this.ask(reservation, request, []);
      const read = readStructured(schema, first.text);
      if ('value' in read) return read.value;
      // A truncated answer would be truncated again.
      if (first.isCutOff) throw providerFailed('exceeded the token limit of its reply');
      if (!mayRetry()) throw unusableAnswer();
      const previousAnswer: Message[] =
        first.text === '' ? [] : [{ role: 'assistant', content: truncateAnswer(first.text) }];
      const repair = repairPrompt(read.problems, schemaTextOf(schema));
      const second = await this.ask(reservation, request, [
        ...previousAnswer,
        { role: 'user', content: repair },
      ]);
      const repaired = readStructured(schema, second.text);
      if ('value' in repaired) return repaired.value;
      throw unusableAnswer();
    });
  }

  async *converse(reservation: CreditReservation, conversation: Conversation): AsyncIterable<ModelOutput> {
    const consumer = new AbortController();
    const combined = anySignal(conversation.signal, consumer.signal);
    const queue = new AsyncQueue<ModelOutput>();
    // Reads to the end independently of the consumer, so that slow consumers do not hold a slot.
    const streaming = this.calls
      .withSlot(combined.signal, (signal) =>
        this.streamReply(reservation, { ...conversation, signal }, (output) => queue.put(output)),
      )
      .then(
        () => queue.end(),
        (error: unknown) => queue.fail(error),
      );
    try {
      yield* queue;
    } finally {
      consumer.abort(CLIENT_LEFT);
      // Usage is complete only after the stream has ended.
      await streaming;
      combined.dispose();
    }
  }

  private async ask(
    reservation: CreditReservation,
    { instruction, data, schema, name, maxOutputTokens, signal }: StructuredQuestion<z.ZodType>,
    furtherMessages: readonly Message[],
  ) {
    const messages = (dialect: Dialect): Message[] => {
      const schemaText = dialect.format === 'json_schema' ? null : schemaTextOf(schema);
      const system = systemPrompt({ instruction }, schemaText);
      return [
        { role: 'system', content: system },
        { role: 'user', content: dataPrompt(data) },
        ...furtherMessages,
      ];
    };
    let sent = '';
    const reply = await this.calls.send({
      reservation,
      signal,
      isStructured: true,
      requestText: (dialect) => JSON.stringify(messages(dialect)),
      send: ({ client, helpers }, dialect) => {
        const format = helpers.zodResponseFormat(schema, name);
        const allMessages = messages(dialect);
        sent = JSON.stringify([allMessages, dialect.format === 'json_schema' ? format : null]);
        return client.chat.completions.create(
          {
            model: this.model,
            messages: allMessages,
            ...limits(dialect, maxOutputTokens),
            ...(dialect.format === 'json_schema' && { response_format: format }),
            ...(dialect.format === 'json_object' && { response_format: { type: 'json_object' as const } }),
          },
          { signal },
        );
      },
    });
    const { text, isDeclined, isCutOff, usage } = readCompletion(reply);
    const tokenCount = countTokens({
      reportedUsage: usage,
      sentText: sent,
      receivedText: text,
      maxOutputTokens,
    });
    reservation.addUsage(tokenCount.usage, tokenCount.isEstimated);
    if (isDeclined) throw providerFailed('declined to answer');
    if (isTooLong(text.length, maxOutputTokens)) throw providerFailed('sent a reply that is too long');
    return { text, isCutOff };
  }

  private async streamReply(
    reservation: CreditReservation,
    { instruction, turns, functions, maxOutputTokens, signal }: Conversation,
    emit: (output: ModelOutput) => void,
  ): Promise<void> {
    const { helpers } = await this.calls.open();
    const messages: Message[] = [{ role: 'system', content: instruction }, ...turns.map(toMessage)];
    const tools = functions.map(({ name, description, parameters }) =>
      helpers.zodFunction({ name, description, parameters }),
    );
    const sent = JSON.stringify([messages, tools]);
    const stream = await this.calls.send({
      reservation,
      signal,
      isStructured: false,
      requestText: () => sent,
      send: ({ client }, dialect) =>
        client.chat.completions.create(
          {
            model: this.model,
            messages,
            stream: true,
            ...limits(dialect, maxOutputTokens),
            ...(tools.length > 0 && { tools }),
            ...(dialect.countsStreams && { stream_options: { include_usage: true } }),
          },
          { signal },
        ),
    });
    const reply = new StreamedReply();
    let isTruncated = false;
    try {
      for await (const chunk of stream) {
        const text = reply.addChunk(chunk);
        if (text !== '') emit({ kind: 'text', text });
        isTruncated = isTooLong(reply.received.length, maxOutputTokens);
        if (isTruncated) break;
      }
      // The SDK ends an aborted stream without an error.
      signal.throwIfAborted();
    } catch (error) {
      throw await this.calls.toAppError(error, signal);
    } finally {
      const tokenCount = countTokens({
        reportedUsage: reply.usage,
        sentText: sent,
        receivedText: reply.received,
        maxOutputTokens,
      });
      reservation.addUsage(tokenCount.usage, tokenCount.isEstimated);
    }
    if (reply.received === '') throw providerFailed('sent an empty reply');
    const calls = isTruncated ? [] : reply.calls();
    if (calls.length > 0) emit({ kind: 'calls', calls });
  }
}

const unusableAnswer = () => providerFailed('sent an unusable reply');

const limits = ({ limit, temperature }: Dialect, maxOutputTokens: number) => ({
  [limit]: maxOutputTokens,
  ...(temperature && { temperature: 0 }),
});

function toMessage(turn: ChatTurn): Message {
  if (turn.role === 'function') return { role: 'tool', tool_call_id: turn.callId, content: turn.text };
  if (turn.role === 'user' || turn.calls === undefined || turn.calls.length === 0)
    return { role: turn.role, content: turn.text };
  const tool_calls = turn.calls.map(({ callId, name, argumentsText }) => ({
    id: callId,
    type: 'function' as const,
    function: { name, arguments: argumentsText },
  }));
  return { role: 'assistant', content: turn.text === '' ? null : turn.text, tool_calls };
}

/** Unbounded queue between a synchronous producer and an asynchronous consumer. */
class AsyncQueue<T> implements AsyncIterable<T> {
  private readonly items: T[] = [];
  private outcome: { error: unknown } | 'well' | null = null;
  private wake: () => void = () => undefined;

  put(item: T): void {
    this.items.push(item);
    this.wake();
  }

  end(): void {
    this.outcome ??= 'well';
    this.wake();
  }

  fail(error: unknown): void {
    this.outcome ??= { error };
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const next = this.items.shift();
      if (next !== undefined) yield next;
      else if (this.outcome === 'well') return;
      else if (this.outcome !== null) throw this.outcome.error;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
