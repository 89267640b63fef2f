import { z } from 'zod';
import type { FunctionCall } from './language-model.ts';
import { providerFailed } from './provider-failures.ts';
import { cleanText, StreamTextCleaner } from './clean-text.ts';

/** More than any text needs, so only servers that ignore the token limit exceed it. */
const MAX_CHARACTERS_PER_TOKEN = 8;
const MAX_CALLS = 16;

export const isTooLong = (characters: number, maxOutputTokens: number): boolean =>
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
export function readCompletion(reply: unknown): {
  text: string;
  isDeclined: boolean;
  /** The token limit ended the reply. */
  isCutOff: boolean;
  usage: unknown;
} {
  const parsed = completionSchema.safeParse(reply);
  if (!parsed.success) throw providerFailed('sent a malformed reply');
  const { choices, usage } = parsed.data;
  const { message, finish_reason: reason } = choices[0]!;
  const isDeclined = typeof message.refusal === 'string' && message.refusal !== '';
  return { text: message.content ?? '', isDeclined, isCutOff: reason === 'length', usage };
}

/** Collects the chunks of a streamed reply. */
export class StreamedReply {
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
export function readStructured<S extends z.ZodType>(schema: S, text: string): ReadResult<z.output<S>> {
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
