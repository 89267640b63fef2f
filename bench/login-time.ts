import type { Child } from './support/child.ts';
import { amount, type Figure } from './support/figure.ts';
import { median } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';

const TRIES = 200;

/** Whether the duration of a failed login or a password reset discloses that an address has an account. It should not. */
export async function loginTime(testBed: TestBed): Promise<Figure[]> {
  const api = await testBed.api({ BCRYPT_COST: '8', ADMIN_EMAIL: 'somebody@canvass.example' });
  const failed = await bothTimes(
    (email) => post(api, { action: 'login', email, password: 'not the password' }),
    401,
  );
  const forgotten = await bothTimes((email) => post(api, { action: 'forgot', email }), 200);
  return [
    figure('A failed login with an address that has an account', failed),
    figure('A password reset for such an address', forgotten),
  ];
}

function post(api: Child, body: object): Promise<Response> {
  return fetch(`${api.url}/api/auth`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

interface Medians {
  knownMs: number;
  unknownMs: number;
}

/** Alternates, so that other load affects both in the same way. */
async function bothTimes(ask: (email: string) => Promise<Response>, status: number): Promise<Medians> {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let n = 0; n < TRIES; n += 1) {
    for (const [email, times] of [
      ['somebody@canvass.example', known],
      ['nobody0@canvass.example', unknown],
    ] as const) {
      const start = performance.now();
      const reply = await ask(email);
      await reply.text();
      times.push(performance.now() - start);
      if (reply.status !== status) throw new Error(`Expected ${status}, got ${reply.status}`);
    }
  }
  return { knownMs: median(known), unknownMs: median(unknown) };
}

const figure = (what: string, { knownMs, unknownMs }: Medians): Figure => ({
  what: `${what} (medians of ${TRIES}; a ratio of 1 discloses nothing)`,
  ours: amount(knownMs, 'ms'),
  yardstick: amount(unknownMs, 'ms'),
  against: 'an address without an account',
  ratio: knownMs / unknownMs,
  target: { atMost: 1.1 },
});
