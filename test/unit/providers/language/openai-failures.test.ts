import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/lib/errors.ts';
import { type FakeLanguageServer, startFakeLanguageServer } from '../../../support/fake-language-server.ts';
import {
  SENTIMENT_SCHEMA,
  API_KEY,
  expectProviderError,
  newReservation,
  modelAt,
  sentimentRequest,
} from '../../../support/sentiment-request.ts';

/** For machines that are busy with something else. */
const PATIENT = { timeout: 10_000 };

let fake: FakeLanguageServer;
beforeAll(async () => {
  fake = await startFakeLanguageServer();
});
afterAll(() => fake.close());
beforeEach(() => fake.reset());

describe('a failing model server', () => {
  const busy = { status: 429, headers: { 'retry-after-ms': '30' } };

  it('that is overloaded is retried after its delay and counted once', async () => {
    fake.reply([busy, busy]);
    const credits = newReservation();
    await modelAt(fake.url).completeStructured(credits, sentimentRequest());
    expect(fake.requests).toHaveLength(3);
    const [first, second, third] = fake.requests;
    expect(second!.at - first!.at).toBeGreaterThan(25);
    expect(third!.at - second!.at).toBeGreaterThan(25);
    const alone = newReservation();
    await modelAt(fake.url).completeStructured(alone, sentimentRequest());
    expect(credits.usage).toEqual(alone.usage);
    expect(credits.isEstimated).toBe(false);
  });

  it.each([
    ['fails', { status: 500 }],
    ['is overloaded', busy],
    ['disconnects', { cutAfterChunks: 2 }],
  ])('that %s each time fails after several retries, and nothing is counted', async (_what, reply) => {
    fake.reply(reply);
    const credits = newReservation();
    const error = await expectProviderError(
      modelAt(fake.url).completeStructured(credits, sentimentRequest()),
    );
    expect(error).toMatchObject({ kind: 'unavailable', code: 'ai_provider_unavailable' });
    expect(Number(error.headers['Retry-After'])).toBeGreaterThan(0);
    expect(fake.requests).toHaveLength(4);
    expect(credits.usage).toEqual({ input_tokens: 0, output_tokens: 0 });
  });

  it('that requests a long delay is not retried, and the client gets the delay', async () => {
    fake.reply({ status: 429, headers: { 'retry-after': '90' } });
    const error = await expectProviderError(
      modelAt(fake.url).completeStructured(newReservation(), sentimentRequest()),
    );
    expect(error).toMatchObject({ code: 'ai_provider_unavailable', headers: { 'Retry-After': '90' } });
    expect(fake.requests).toHaveLength(1);
  });

  it.each([401, 403, 404])('that rejects the key (%i) is not retried', async (status) => {
    fake.reply({ status, error: { message: `Incorrect API key: ${API_KEY}` } });
    expect(
      await expectProviderError(modelAt(fake.url).completeStructured(newReservation(), sentimentRequest())),
    ).toMatchObject({
      code: 'ai_provider_failed',
    });
    expect(fake.requests).toHaveLength(1);
  });

  it('with an exhausted quota is not retried', async () => {
    fake.reply({ status: 429, error: { message: 'pay', code: 'insufficient_quota' } });
    expect(
      await expectProviderError(modelAt(fake.url).completeStructured(newReservation(), sentimentRequest())),
    ).toMatchObject({
      code: 'ai_provider_unavailable',
    });
    expect(fake.requests).toHaveLength(1);
  });

  it('that cannot be reached is unavailable', async () => {
    const stopped = await startFakeLanguageServer();
    await stopped.close();
    const error = await expectProviderError(
      modelAt(stopped.url).completeStructured(newReservation(), sentimentRequest()),
    );
    expect(error).toMatchObject({ code: 'ai_provider_unavailable' });
  });

  it.each([
    ['does not begin to reply', { delayMs: 5_000 }],
    ['stops midway', { delayPerChunkMs: 5_000 }],
  ])('that %s in time is unavailable', async (_what, reply) => {
    fake.reply(reply);
    const startedAt = performance.now();
    const error = await expectProviderError(
      modelAt(fake.url, { timeoutSeconds: 1 }).completeStructured(newReservation(), sentimentRequest()),
    );
    expect(error).toMatchObject({ code: 'ai_provider_unavailable' });
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(fake.requests).toHaveLength(1);
  });
});

describe('a hostile model server', () => {
  it.each([
    ['HTML', { raw: { body: '<html>secret</html>', contentType: 'text/html' } }],
    ['broken JSON', { raw: { body: '{"choices": [', contentType: 'application/json' } }],
    ['another shape', { raw: { body: '{"choices": [{"message": 7}]}', contentType: 'application/json' } }],
    ['nothing', { raw: { body: '', contentType: 'application/json' } }],
    ['ten megabytes', { content: 'x'.repeat(10_000_000) }],
    ['a text longer than requested', { content: 'x'.repeat(5_000) }],
    [
      'a redirect',
      {
        status: 307,
        headers: { Location: 'http://127.0.0.1:1/' },
        raw: { body: '', contentType: 'text/plain' },
      },
    ],
  ])('that replies with %s is a provider failure', async (_what, reply) => {
    fake.reply(reply);
    const error = await expectProviderError(
      modelAt(fake.url).completeStructured(newReservation(), sentimentRequest()),
    );
    expect(error.code).toMatch(/^ai_provider_(failed|unavailable)$/);
  });

  it('returns a value valid in the schema, or none', async () => {
    const model = modelAt(fake.url);
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string(), fc.jsonValue()), async (content) => {
        fake.reply({ content });
        const answer = await model
          .completeStructured(newReservation(), sentimentRequest())
          .catch((error: unknown) => error);
        if (answer instanceof AppError) expect(answer.code).toBe('ai_provider_failed');
        else expect(SENTIMENT_SCHEMA.safeParse(answer).success).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a caller that disconnects', () => {
  it('aborts the request within a second, and its input is counted', async () => {
    fake.reply({ delayMs: 5_000 });
    const leaving = new AbortController();
    const credits = newReservation();
    const answer = modelAt(fake.url).completeStructured(
      credits,
      sentimentRequest({ signal: leaving.signal }),
    );
    answer.catch(() => undefined);
    await expect.poll(() => fake.requests.length, PATIENT).toBe(1);
    const left = performance.now();
    const reason = new Error('left');
    leaving.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await expect.poll(() => fake.requests[0]!.disconnectedAt, PATIENT).not.toBeNull();
    expect(fake.requests[0]!.disconnectedAt! - left).toBeLessThan(1_000);
    expect(credits.usage.input_tokens).toBeGreaterThan(50);
    expect(credits.isEstimated).toBe(true);
  });

  it('does not wait for the next retry, and nothing is counted', async () => {
    fake.reply({ status: 429, headers: { 'retry-after': '15' } });
    const leaving = new AbortController();
    const credits = newReservation();
    const answer = modelAt(fake.url).completeStructured(
      credits,
      sentimentRequest({ signal: leaving.signal }),
    );
    answer.catch(() => undefined);
    await expect.poll(() => fake.requests.length, PATIENT).toBe(1);
    const left = performance.now();
    leaving.abort();
    await expect(answer).rejects.toBe(leaving.signal.reason);
    expect(performance.now() - left).toBeLessThan(1_000);
    expect(credits.usage).toEqual({ input_tokens: 0, output_tokens: 0 });
  });

  it('does not keep a place in the queue', async () => {
    fake.reply([{ delayMs: 300 }]);
    const model = modelAt(fake.url, { concurrency: 1 });
    const first = model.completeStructured(newReservation(), sentimentRequest());
    await expect.poll(() => fake.requests.length, PATIENT).toBe(1);
    const leaving = new AbortController();
    const second = model.completeStructured(newReservation(), sentimentRequest({ signal: leaving.signal }));
    leaving.abort();
    await expect(second).rejects.toBe(leaving.signal.reason);
    await first;
    await model.completeStructured(newReservation(), sentimentRequest());
    expect(fake.requests).toHaveLength(2);
  });
});

it('runs no more concurrent calls than configured', async () => {
  fake.reply({ delayMs: 40 });
  const model = modelAt(fake.url, { concurrency: 3 });
  await Promise.all(
    Array.from({ length: 9 }, () => model.completeStructured(newReservation(), sentimentRequest())),
  );
  expect(fake.maxConcurrent).toBe(3);
});
