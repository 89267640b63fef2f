import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import type { Actor } from './actors.ts';
import type { TestApp } from './app.ts';
import { describeReply } from './describe-reply.ts';

/** An event as it came. */
export interface Event {
  event: string;
  id: string;
  data: Record<string, unknown>;
}

interface Figure {
  function: string;
  arguments: Record<string, unknown>;
  base: number | null;
  result: Record<string, never>;
}

interface Done {
  session_id: string;
  message_id: number;
  usage: { input_tokens: number; output_tokens: number };
  credits_used: number;
  credits_remaining: number;
  figures: Figure[];
  unsupported_numbers: string[];
}

/** The events of a stream, comments left out; each has an id, and its data is one line. */
function parseEvents(text: string): Event[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const parts = /^event: (\w+)\n(?:id: (\d+-\d+)\n)?data: (.*)$/.exec(block);
      expect(parts, block).not.toBeNull();
      return { event: parts![1]!, id: parts![2] ?? '', data: JSON.parse(parts![3]!) };
    });
}

/** The text of the events and the data of the last one. */
export function textOfEvents(events: readonly Event[]) {
  const deltas = events.filter(({ event }) => event === 'delta');
  return {
    events,
    text: deltas.map(({ data }) => data.text).join(''),
    start: events.find(({ event }) => event === 'start')?.data as
      { session_id: string; message_id: number; engine: string; model: string } | undefined,
    done: events.find(({ event }) => event === 'done')?.data as unknown as Done,
    error: events.find(({ event }) => event === 'error')?.data as
      { message: string; code: string } | undefined,
  };
}

interface ChatRequest {
  message: string;
  session_id?: string;
  survey_id?: number;
  workspace_id?: number;
}

/** Asks a question and waits for the whole answer. `after`: continues after an event. */
export async function askAndWait(who: Actor, body: ChatRequest, after?: string) {
  const request = who.post('/api/ai/chat', body);
  const reply = await (after === undefined ? request : request.set('Last-Event-ID', after));
  expect(reply.status, describeReply(reply)).toBe(200);
  return textOfEvents(parseEvents(reply.text));
}

/** Asks several questions, each in a new session. */
export const conversationOn = (who: Actor, about: Omit<ChatRequest, 'message'>) => (message: string) =>
  askAndWait(who, { ...about, message });
export type Conversation = ReturnType<typeof conversationOn>;

/** A stream that is read as it comes, and may be left. */
export interface OpenChat {
  /** What came so far. */
  readonly events: Event[];
  /** The stream is over. */
  readonly ended: Promise<void>;
  /** Breaks the connection. */
  disconnect(): void;
}

/** Asks a question over a separate connection. */
export async function openChat(
  test: TestApp,
  who: Actor,
  body: ChatRequest,
  after?: string,
): Promise<OpenChat> {
  const { port } = test.server!.address() as AddressInfo;
  const text = JSON.stringify(body);
  const headers = {
    'X-API-Key': who.apiKey!,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...(after === undefined ? {} : { 'Last-Event-ID': after }),
  };
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/ai/chat',
    headers,
    agent: false,
  });
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
    sent.end(text);
  });
  expect(reply.statusCode).toBe(200);
  const events: Event[] = [];
  let rest = '';
  reply.setEncoding('utf8').on('data', (part: string) => {
    const whole = (rest + part).split('\n\n');
    rest = whole.pop()!;
    events.push(...parseEvents(whole.join('\n\n')));
  });
  const ended = new Promise<void>((resolve) => reply.once('close', resolve));
  reply.on('error', () => undefined);
  return { events, ended, disconnect: () => sent.destroy() };
}
