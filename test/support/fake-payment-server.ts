import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** A Checkout Session as Stripe has it. */
export interface FakeSession {
  id: string;
  object: 'checkout.session';
  url: string;
  client_reference_id: string;
  amount_total: number;
  currency: string;
  metadata: Record<string, string>;
  payment_status: 'unpaid' | 'paid';
  success_url: string;
  cancel_url: string;
}

interface FakeAnswer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

export interface FakePayments {
  readonly apiBase: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** By id, in the order in which they were opened. */
  readonly sessions: Map<string, FakeSession>;
  /** The form fields of each received request. */
  readonly requests: URLSearchParams[];
  /** Replaces the next correct reply; `cut`: breaks the connection after creating the session. */
  readonly next: (FakeAnswer | 'cut')[];
  /** Takes nothing until it is called. */
  hold(): () => void;
}

/** An error in Stripe's form. */
export const stripeError = (status: number, type: string, message: string, code?: string): FakeAnswer => ({
  status,
  body: JSON.stringify({ error: { type, message, code } }),
  headers: { 'Request-Id': 'req_fake123' },
});

/** Call at the top of a test file: what of Stripe's wire format a checkout needs, on loopback, as strict as the real one. */
export function useFakePayments(): FakePayments {
  const sessions = new Map<string, FakeSession>();
  const byKey = new Map<string, { form: string; session: FakeSession }>();
  const requests: URLSearchParams[] = [];
  const next: (FakeAnswer | 'cut')[] = [];
  let holding: Promise<void> | null = null;
  const fake = {
    apiBase: '',
    secretKey: 'sk_test_fakeKeyOfTests',
    webhookSecret: 'whsec_fakeSecretOfTests',
    sessions,
    requests,
    next,
    hold() {
      let release = () => undefined as void;
      holding = new Promise((resolve) => (release = resolve));
      return () => {
        holding = null;
        release();
      };
    },
  };
  const server = createServer((request, response) => void answer(request, response));
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    fake.apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    requests.length = 0;
    next.length = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    const form = new URLSearchParams(text);
    requests.push(form);
    if (holding !== null) await holding;
    const scripted = next.shift();
    if (scripted !== undefined && scripted !== 'cut') return send(response, scripted);
    const problem = findRequestError(request, form, fake.secretKey);
    if (problem !== null) return send(response, problem);
    const key = String(request.headers['idempotency-key']);
    const before = byKey.get(key);
    if (before !== undefined && before.form !== text)
      return send(response, stripeError(400, 'idempotency_error', 'Keys can only be used with the same'));
    const session = before?.session ?? sessionOf(form, sessions.size + 1);
    byKey.set(key, { form: text, session });
    sessions.set(session.id, session);
    if (scripted === 'cut') request.socket.destroy();
    else send(response, { status: 200, body: JSON.stringify(session) });
  }

  return fake;
}

/** An unknown field is refused by the real one as well. */
const FIELDS =
  /^(mode|client_reference_id|success_url|cancel_url|(payment_intent_data\[metadata\]|metadata)\[\w+\]|line_items\[0\]\[(quantity|price_data\]\[(currency|unit_amount|product_data\]\[name))\])$/;

function findRequestError(
  request: IncomingMessage,
  form: URLSearchParams,
  secretKey: string,
): FakeAnswer | null {
  const { authorization, 'content-type': type, 'idempotency-key': key } = request.headers;
  if (request.method !== 'POST' || request.url !== '/v1/checkout/sessions')
    return stripeError(404, 'invalid_request_error', `Unrecognized request URL (${request.url})`);
  if (authorization !== `Bearer ${secretKey}`)
    return stripeError(401, 'invalid_request_error', `Invalid API Key provided: ${authorization}`);
  const missing = ['mode', 'success_url', 'client_reference_id', 'metadata[organization_id]'].find(
    (name) => !form.has(name),
  );
  const unknown = [...form.keys()].find((name) => !FIELDS.test(name));
  const wrong =
    missing ??
    unknown ??
    (/^application\/x-www-form-urlencoded/.test(type ?? '') ? undefined : 'content-type') ??
    (key === form.get('client_reference_id') ? undefined : 'idempotency-key') ??
    (request.headers['x-stripe-client-telemetry'] === undefined ? undefined : 'telemetry');
  return wrong === undefined
    ? null
    : stripeError(400, 'invalid_request_error', `Wrong: ${wrong}`, 'parameter_invalid');
}

const sessionOf = (form: URLSearchParams, n: number): FakeSession => ({
  id: `cs_test_${n}`,
  object: 'checkout.session',
  url: `https://checkout.stripe.example/c/pay/cs_test_${n}`,
  client_reference_id: form.get('client_reference_id')!,
  amount_total:
    Number(form.get('line_items[0][price_data][unit_amount]')) * Number(form.get('line_items[0][quantity]')),
  currency: form.get('line_items[0][price_data][currency]')!,
  metadata: Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const named = /^metadata\[(\w+)\]$/.exec(name)?.[1];
      return named === undefined ? [] : [[named, value]];
    }),
  ),
  payment_status: 'unpaid',
  success_url: form.get('success_url')!,
  cancel_url: form.get('cancel_url')!,
});

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, { status, body, headers }: FakeAnswer): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
}

/** The `Stripe-Signature` of a body, implemented from Stripe's documentation and not with its package. */
export function signStripeEvent(body: string, secret: string, at = new Date()): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  const hmac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${hmac}`;
}

let eventCount = 0;

/** An event about a session, as it is sent. */
export const stripeEvent = (
  type: string,
  session: object,
  eventId = `evt_test_${(eventCount += 1)}`,
): string =>
  JSON.stringify({
    id: eventId,
    object: 'event',
    api_version: '2026-01-01',
    type,
    data: { object: session },
  });
