import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { plausibleAnswer } from './fake-language-answers.ts';

/** A received request. */
export interface LanguageRequest {
  headers: IncomingHttpHeaders;
  body: {
    model: string;
    messages: { role: string; content?: unknown; tool_calls?: unknown; tool_call_id?: string }[];
    stream?: boolean;
    stream_options?: { include_usage?: boolean };
    response_format?: { type: string; json_schema?: { name: string; strict?: boolean; schema: object } };
    tools?: { type: string; function: { name: string; parameters: object } }[];
    [other: string]: unknown;
  };
  /** `performance.now()` when it had come. */
  at: number;
  /** The same, when the client hung up before the reply was whole; null: it did not. */
  disconnectedAt: number | null;
}

/** How to answer a request. Defaults are those of a working server. */
interface ScriptedReply {
  /** The model's text; other values are sent as JSON. Default: a plausible answer. */
  content?: unknown;
  /** Functions that the model wants called. */
  calls?: { name: string; arguments: unknown }[];
  finishReason?: string;
  /** null: the server does not count. */
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  /** An error instead of an answer. */
  status?: number;
  error?: { message: string; code?: string; param?: string };
  headers?: Record<string, string>;
  /** Sent as it is, instead of everything above. */
  raw?: { body: string; contentType: string };
  /** Before the first byte of the reply. */
  delayMs?: number;
  /** Between two pieces of the reply. */
  delayPerChunkMs?: number;
  /** The connection breaks after so many pieces. */
  cutAfterChunks?: number;
  charactersPerChunk?: number;
}

/** One for every request; one after the other (then as by default); or as a function finds (undefined: as by default). */
type ReplyScript =
  | ScriptedReply
  | readonly ScriptedReply[]
  | ((request: LanguageRequest, number: number) => ScriptedReply | undefined);

export interface FakeLanguageServer {
  /** What OPENAI_BASE_URL is set to. */
  readonly url: string;
  readonly requests: LanguageRequest[];
  /** So many were answered at the same time at most. */
  readonly maxConcurrent: number;
  /** Sets the script for the following requests, or the default. Recorded requests stay. */
  reply(script?: ReplyScript): void;
  /** Removes recorded requests and restores the default. */
  reset(): void;
  close(): Promise<void>;
}

/** The token count that this server reports for a text. */
const estimateTokens = (text: string): number => Math.ceil(text.length / 4);

/**
 * A language model behind the wire format of OpenAI's chat completions, on loopback. By itself it fills in the schema that it is asked for
 * from the data it is given (sentiment by words such as "love" and "hate"), and else says what it was told.
 */
export async function startFakeLanguageServer(): Promise<FakeLanguageServer> {
  const requests: LanguageRequest[] = [];
  let script: ReplyScript | undefined;
  let remaining: ScriptedReply[] = [];
  let running = 0;
  let maxConcurrent = 0;

  const next = (request: LanguageRequest): ScriptedReply => {
    if (typeof script === 'function') return script(request, requests.length) ?? {};
    if (Array.isArray(script)) return remaining.shift() ?? {};
    return (script as ScriptedReply | undefined) ?? {};
  };

  const server = createServer((incoming, response) => {
    void (async () => {
      const text = await textOf(incoming);
      if (incoming.method !== 'POST' || incoming.url !== '/v1/chat/completions') {
        response.writeHead(404, { 'Content-Type': 'application/json' });
        return response.end(JSON.stringify({ error: { message: `No ${incoming.url}`, code: null } }));
      }
      const body = JSON.parse(text) as LanguageRequest['body'];
      const request: LanguageRequest = {
        headers: incoming.headers,
        body,
        at: performance.now(),
        disconnectedAt: null,
      };
      requests.push(request);
      running += 1;
      maxConcurrent = Math.max(maxConcurrent, running);
      response.once('close', () => {
        running -= 1;
        if (!response.writableFinished) request.disconnectedAt = performance.now();
      });
      await answer(request, next(request), requests.length, response);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const fake: FakeLanguageServer = {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    get maxConcurrent() {
      return maxConcurrent;
    },
    reply(newScript) {
      script = newScript;
      remaining = Array.isArray(newScript) ? [...(newScript as readonly ScriptedReply[])] : [];
    },
    reset() {
      requests.length = 0;
      maxConcurrent = 0;
      fake.reply();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return fake;
}

async function answer(
  request: LanguageRequest,
  reply: ScriptedReply,
  number: number,
  response: ServerResponse,
): Promise<void> {
  if (reply.delayMs !== undefined) await sleep(reply.delayMs);
  const { contentType, pieces } = toChunks(request, reply, number);
  response.writeHead(reply.status ?? 200, { 'Content-Type': contentType, ...reply.headers });
  for (const [index, piece] of pieces.entries()) {
    if (response.destroyed) return;
    if (index === reply.cutAfterChunks) {
      // Flushes the output before breaking the connection.
      await sleep(20);
      response.destroy();
      return;
    }
    if (index > 0 && reply.delayPerChunkMs !== undefined) await sleep(reply.delayPerChunkMs);
    if (!response.write(piece) && !response.destroyed)
      await new Promise<void>((resolve) => {
        response.once('drain', resolve);
        response.once('close', resolve);
      });
  }
  response.end();
}

function toChunks(
  request: LanguageRequest,
  reply: ScriptedReply,
  number: number,
): { contentType: string; pieces: string[] } {
  const { body } = request;
  if (reply.raw !== undefined)
    return {
      contentType: reply.raw.contentType,
      pieces: splitText(reply.raw.body, reply.charactersPerChunk ?? 65_536),
    };
  const json = 'application/json';
  if (reply.status !== undefined && reply.status >= 400) {
    const error = {
      message: `Scripted ${reply.status}`,
      type: 'error',
      param: null,
      code: null,
      ...reply.error,
    };
    return { contentType: json, pieces: [JSON.stringify({ error })] };
  }
  const given = 'content' in reply ? reply.content : reply.calls ? null : plausibleAnswer(request);
  const content = given === null || typeof given === 'string' ? given : JSON.stringify(given);
  const calls = (reply.calls ?? []).map(({ name, arguments: args }, index) => ({
    id: `call_${number}_${index}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  const usage = reply.usage === undefined ? countUsage(body, content, calls) : reply.usage;
  const base = { id: `chatcmpl-${number}`, created: 1_750_000_000, model: body.model };
  const finish_reason = reply.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  const size = reply.charactersPerChunk ?? 8;

  if (body.stream !== true) {
    const message = {
      role: 'assistant',
      content,
      refusal: null,
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    const choices = [{ index: 0, message, finish_reason, logprobs: null }];
    const whole = JSON.stringify({ ...base, object: 'chat.completion', choices, ...(usage && { usage }) });
    const slow = reply.delayPerChunkMs !== undefined || reply.cutAfterChunks !== undefined;
    return { contentType: json, pieces: slow ? splitText(whole, size) : [whole] };
  }
  const chunk = (rest: object) =>
    `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...rest })}\n\n`;
  const delta = (part: object) => chunk({ choices: [{ index: 0, delta: part, finish_reason: null }] });
  const pieces = [delta({ role: 'assistant', content: '' })];
  for (const part of splitText(content ?? '', size)) pieces.push(delta({ content: part }));
  for (const [index, call] of calls.entries()) {
    const { name, arguments: args } = call.function;
    const toolCall = { index, id: call.id, type: 'function', function: { name, arguments: '' } };
    pieces.push(delta({ tool_calls: [toolCall] }));
    for (const part of splitText(args, size))
      pieces.push(delta({ tool_calls: [{ index, function: { arguments: part } }] }));
  }
  pieces.push(chunk({ choices: [{ index: 0, delta: {}, finish_reason }] }));
  if (body.stream_options?.include_usage === true && usage) pieces.push(chunk({ choices: [], usage }));
  pieces.push('data: [DONE]\n\n');
  return { contentType: 'text/event-stream', pieces };
}

function countUsage(body: LanguageRequest['body'], content: string | null, calls: readonly object[]) {
  const text = body.messages.map((message) => JSON.stringify(message)).join('');
  const prompt_tokens = estimateTokens(text);
  const completion_tokens = estimateTokens((content ?? '') + (calls.length > 0 ? JSON.stringify(calls) : ''));
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** By characters, never through the middle of one. */
function splitText(text: string, size: number): string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += size)
    pieces.push(characters.slice(start, start + size).join(''));
  return pieces;
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
