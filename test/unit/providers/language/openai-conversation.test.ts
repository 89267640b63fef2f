import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CreditReservation } from '../../../../src/domain/credits/credits.ts';
import type { Conversation, ModelOutput } from '../../../../src/providers/language/language-model.ts';
import { OpenAiModel } from '../../../../src/providers/language/openai-model.ts';
import { type FakeLanguageServer, startFakeLanguageServer } from '../../../support/fake-language-server.ts';

/** For machines that are busy with something else. */
const PATIENT = { timeout: 10_000 };

let fake: FakeLanguageServer;
beforeAll(async () => {
  fake = await startFakeLanguageServer();
});
afterAll(() => fake.close());
beforeEach(() => fake.reset());

const modelAt = (settings: { timeoutSeconds?: number; concurrency?: number } = {}) =>
  new OpenAiModel({
    baseUrl: fake.url,
    apiKey: 'sk-only-a-test',
    model: 'test-model',
    concurrency: 4,
    timeoutSeconds: 20,
    backOffMs: 5,
    ...settings,
  });

const FIGURES = {
  name: 'figures_of',
  description: 'Counts and shares of a question.',
  parameters: z.object({ question: z.string() }),
};

const talk = (settings: Partial<Conversation> = {}): Conversation => ({
  instruction: 'You answer questions about a survey.',
  turns: [{ role: 'user', text: 'How many love it?' }],
  functions: [FIGURES],
  maxOutputTokens: 300,
  signal: new AbortController().signal,
  ...settings,
});

async function collectOutput(
  outputs: AsyncIterable<ModelOutput>,
): Promise<{ text: string; chunks: number; calls: ModelOutput[] }> {
  const output = { text: '', chunks: 0, calls: [] as ModelOutput[] };
  for await (const one of outputs) {
    if (one.kind === 'text') {
      output.text += one.text;
      output.chunks += 1;
    } else output.calls.push(one);
  }
  return output;
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );
const SAID = 'Seventeen of twenty people love it; three do not say.';

describe('a conversation', () => {
  it('is streamed, with the token counts of the server', async () => {
    fake.reply({ content: SAID, charactersPerChunk: 7 });
    const reservation = new CreditReservation(1);
    const output = await collectOutput(modelAt().converse(reservation, talk()));
    expect(output).toMatchObject({ text: SAID, chunks: Math.ceil(SAID.length / 7), calls: [] });
    expect(reservation.usage.output_tokens).toBe(Math.ceil(SAID.length / 4));
    expect(reservation.isEstimated).toBe(false);
    expect(fake.requests[0]!.body).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 300,
      tools: [{ type: 'function', function: { name: 'figures_of', strict: true } }],
    });
  });

  it('calls functions whose names and arguments arrive in chunks, after the text before', async () => {
    fake.reply({
      content: 'Let me look.',
      calls: [
        { name: 'figures_of', arguments: { question: 'Q1' } },
        { name: 'figures_of', arguments: '{"question": broken' },
      ],
      charactersPerChunk: 3,
    });
    const output = await collectOutput(modelAt().converse(new CreditReservation(1), talk()));
    expect(output.text).toBe('Let me look.');
    expect(output.calls).toEqual([
      {
        kind: 'calls',
        calls: [
          { callId: 'call_1_0', name: 'figures_of', argumentsText: '{"question":"Q1"}' },
          { callId: 'call_1_1', name: 'figures_of', argumentsText: '{"question": broken' },
        ],
      },
    ]);
  });

  it('continues with the results of the functions', async () => {
    const call = { callId: 'call_7', name: 'figures_of', argumentsText: '{"question":"Q1"}' };
    const turns: Conversation['turns'] = [
      { role: 'user', text: 'How many?' },
      { role: 'assistant', text: '', calls: [call] },
      { role: 'function', callId: 'call_7', text: '{"n":17}' },
    ];
    fake.reply({ content: 'Seventeen.' });
    await collectOutput(modelAt().converse(new CreditReservation(1), talk({ turns })));
    expect(fake.requests[0]!.body.messages).toEqual([
      { role: 'system', content: 'You answer questions about a survey.' },
      { role: 'user', content: 'How many?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_7',
            type: 'function',
            function: { name: 'figures_of', arguments: '{"question":"Q1"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_7', content: '{"n":17}' },
    ]);
  });

  it('removes control characters and lone surrogates, and joins characters split across chunks', async () => {
    const delta = (content: string) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
    const halves = ['a\u0000\u001b[31m\tb\n', '\ud83d', '\ude00', '\ude00c', '\ud83d'].map(delta).join('');
    fake.reply({ raw: { body: `${halves}data: [DONE]\n\n`, contentType: 'text/event-stream' } });
    const { text } = await collectOutput(modelAt().converse(new CreditReservation(1), talk()));
    expect(text).toBe('a[31m\tb\n\u{1f600}\ufffdc');
  });

  it('without token counts is estimated from its input and output', async () => {
    fake.reply({ content: SAID, usage: null });
    const reservation = new CreditReservation(1);
    await collectOutput(modelAt().converse(reservation, talk()));
    expect(reservation.isEstimated).toBe(true);
    expect(reservation.usage.output_tokens).toBe(Math.ceil(SAID.length / 4));
    expect(reservation.usage.input_tokens).toBeGreaterThan(40);
  });

  it('continues if the server cannot count tokens in streams', async () => {
    fake.reply(({ body }) =>
      body.stream_options
        ? { status: 400, error: { message: 'unknown: stream_options' } }
        : { content: SAID },
    );
    const model = modelAt();
    const reservation = new CreditReservation(1);
    expect((await collectOutput(model.converse(reservation, talk()))).text).toBe(SAID);
    await collectOutput(model.converse(reservation, talk()));
    expect(fake.requests).toHaveLength(3);
    expect(reservation.isEstimated).toBe(true);
  });

  it('ends at its maximum length', async () => {
    fake.reply({ content: 'ha '.repeat(20_000), charactersPerChunk: 300, delayPerChunkMs: 5 });
    const reservation = new CreditReservation(1);
    const { text } = await collectOutput(modelAt().converse(reservation, talk({ maxOutputTokens: 100 })));
    expect(text.length).toBeLessThan(1_500);
    await expect.poll(() => fake.requests[0]!.disconnectedAt, PATIENT).not.toBeNull();
  });

  it('restarts after an overloaded server, and is counted once', async () => {
    fake.reply([{ status: 429 }, { status: 503 }, { content: SAID }]);
    const reservation = new CreditReservation(1);
    expect((await collectOutput(modelAt().converse(reservation, talk()))).text).toBe(SAID);
    fake.reply({ content: SAID });
    const alone = new CreditReservation(2);
    await collectOutput(modelAt().converse(alone, talk()));
    expect(reservation.usage).toEqual(alone.usage);
  });
});

describe('a conversation fails', () => {
  it.each([
    ['the connection breaks', { content: SAID, cutAfterChunks: 4 }, 'ai_provider_unavailable'],
    ['the server does not reply', { content: '' }, 'ai_provider_failed'],
    ['the server fails', { status: 500 }, 'ai_provider_unavailable'],
    ['the server rejects the key', { status: 401 }, 'ai_provider_failed'],
    [
      'lines are forged',
      { raw: { body: 'data: {"choices": 7}\n\n', contentType: 'text/event-stream' } },
      'ai_provider_failed',
    ],
    [
      'lines are malformed',
      { raw: { body: 'event: x\ndata: {"choices": [\n\n', contentType: 'text/event-stream' } },
      'ai_provider_failed',
    ],
    [
      'an error arrives midway',
      { raw: { body: 'data: {"error": {"message": "secret"}}\n\n', contentType: 'text/event-stream' } },
      'ai_provider_failed',
    ],
    ['the server sends HTML', { raw: { body: '<html>', contentType: 'text/html' } }, 'ai_provider_failed'],
  ])('if %s', async (_what, reply, code) => {
    fake.reply(reply);
    const error = await failure(collectOutput(modelAt().converse(new CreditReservation(1), talk())));
    expect(error).toMatchObject({ code });
    expect(String(error)).not.toMatch(/secret|127\.0|sk-only/);
  });

  it('if it stalls midway, within the time limit', async () => {
    fake.reply({ content: SAID, delayPerChunkMs: 10_000 });
    const error = await failure(
      collectOutput(modelAt({ timeoutSeconds: 1 }).converse(new CreditReservation(1), talk())),
    );
    expect(error).toMatchObject({ code: 'ai_provider_unavailable' });
  });
});

describe('a client that disconnects', () => {
  it('stops the model within a second by its signal, and counts the received text', async () => {
    fake.reply({ content: 'word '.repeat(400), delayPerChunkMs: 100 });
    const leaving = new AbortController();
    const reservation = new CreditReservation(1);
    const chunks: string[] = [];
    const reason = new Error('left');
    let left = 0;
    const listening = (async () => {
      for await (const output of modelAt().converse(reservation, talk({ signal: leaving.signal }))) {
        chunks.push(output.kind);
        if (chunks.length === 5) {
          left = performance.now();
          leaving.abort(reason);
        }
      }
    })();
    await expect(listening).rejects.toBe(reason);
    await expect.poll(() => fake.requests[0]!.disconnectedAt, PATIENT).not.toBeNull();
    expect(fake.requests[0]!.disconnectedAt! - left).toBeLessThan(1_000);
    expect(reservation.isEstimated).toBe(true);
    expect(reservation.usage.input_tokens).toBeGreaterThan(40);
    expect(reservation.usage.output_tokens).toBeGreaterThanOrEqual(8);
    expect(reservation.usage.output_tokens).toBeLessThan(100);
  });

  it('stops the model when it stops reading, before the loop ends', async () => {
    fake.reply({ content: 'word '.repeat(400), delayPerChunkMs: 100 });
    const reservation = new CreditReservation(1);
    for await (const output of modelAt().converse(reservation, talk())) {
      expect(output.kind).toBe('text');
      break;
    }
    expect(reservation.usage.output_tokens).toBeGreaterThan(0);
    await expect.poll(() => fake.requests[0]!.disconnectedAt, PATIENT).not.toBeNull();
  });

  it('before the first chunk is charged for its input', async () => {
    fake.reply({ delayMs: 5_000 });
    const leaving = new AbortController();
    const reservation = new CreditReservation(1);
    const listening = failure(
      collectOutput(modelAt().converse(reservation, talk({ signal: leaving.signal }))),
    );
    await expect.poll(() => fake.requests.length, PATIENT).toBe(1);
    leaving.abort();
    expect(await listening).toBe(leaving.signal.reason);
    expect(reservation.usage.input_tokens).toBeGreaterThan(40);
    expect(reservation.usage.output_tokens).toBe(0);
    await expect.poll(() => fake.requests[0]!.disconnectedAt, PATIENT).not.toBeNull();
  });

  it('does not block other clients when it reads slowly', async () => {
    const model = modelAt({ concurrency: 1 });
    fake.reply({ content: SAID });
    const slow = model.converse(new CreditReservation(1), talk())[Symbol.asyncIterator]();
    await slow.next();
    expect((await collectOutput(model.converse(new CreditReservation(2), talk()))).text).toBe(SAID);
    await slow.return!();
  });
});
