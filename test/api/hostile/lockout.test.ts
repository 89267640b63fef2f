import { beforeAll, describe, expect, it } from 'vitest';
import supertest from 'supertest';
import { type Actor, newOrganization, signIn } from '../../support/actors.ts';
import { appOn, type TestApp, useApp } from '../../support/app.ts';
import { newDashboard, share } from '../../support/dashboards.ts';
import { expectRefused } from '../../support/refusals.ts';

const LIMIT = 4;
const ELSEWHERE = '203.0.113.9';
const test = useApp();
let ada: Actor;
let bob: Actor;
let admin: Actor;
let slug: string;
beforeAll(async () => {
  const organization = await newOrganization(test);
  [ada, bob] = [await organization.addUser('member'), await organization.addUser('member')];
  ({ admin, slug } = organization);
});

/** The application with few wrong guesses allowed, its counters at zero; the address of each request is chosen. */
const strict = (): TestApp => appOn(test.database, { RATE_LIMIT_AUTH: String(LIMIT), TRUST_PROXY: '1' });

const logIn = (on: TestApp, email: string, password: string, address: string, cookie = '') =>
  supertest(on.app)
    .post('/api/auth')
    .set('X-Forwarded-For', address)
    .set('Cookie', cookie)
    .send({ action: 'login', email, password });

/** The statuses of so many wrong logins, one after the other. */
async function guesses(on: TestApp, email: string, count: number, address: (n: number) => string) {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push((await logIn(on, email, `guess ${n}`, address(n))).status);
  return statuses;
}
const from = (address: string) => () => address;

/** The cookies that a login set, as the browser sends them back to the endpoint of logins. */
async function deviceOf(on: TestApp, user: Actor, address: string): Promise<string> {
  const reply = await logIn(on, user.email, user.password, address).expect(200);
  return (reply.headers['set-cookie'] as unknown as string[])
    .filter((cookie) => cookie.startsWith('known_device_'))
    .map((cookie) => cookie.split(';')[0]!)
    .join('; ');
}

describe('wrong passwords', () => {
  it('from one network never lock the owner out in another one', async () => {
    const on = strict();
    expect(await guesses(on, ada.email, LIMIT + 50, from('198.51.100.1'))).toEqual([
      ...Array<number>(LIMIT).fill(401),
      ...Array<number>(50).fill(429),
    ]);
    await logIn(on, ada.email, ada.password, ELSEWHERE).expect(200);
    // The right password does not help the network that used up its guesses.
    await expectRefused(logIn(on, ada.email, ada.password, '198.51.100.1'), 429, 'too_many_requests');
    await logIn(on, bob.email, bob.password, '198.51.100.1').expect(200);
  });

  it('count per /56 of IPv6, and for any spelling of the account', async () => {
    const on = strict();
    const rotating = await guesses(on, ada.email, LIMIT, (n) => `2001:db8:1:1${n}${n}::${n + 1}`);
    expect(new Set(rotating)).toEqual(new Set([401]));
    for (const spelling of [ada.email, ada.email.toUpperCase(), `  ${ada.email} `])
      await expectRefused(logIn(on, spelling, 'guess', '2001:db8:1:1ff::ff'), 429);
    await expectRefused(logIn(on, ada.email, 'guess', '2001:db8:1:200::1'), 401);
  });

  it('count per network over all accounts, with five times the limit', async () => {
    const on = strict();
    const statuses: number[] = [];
    for (let n = 0; n < LIMIT * 5 + 3; n += 1)
      statuses.push((await logIn(on, `p${n}@example.org`, 'guess', '198.51.100.2')).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(LIMIT * 5);
    await expectRefused(logIn(on, ada.email, ada.password, '198.51.100.2'), 429);
    await logIn(on, ada.email, ada.password, ELSEWHERE).expect(200);
  });

  it('count per account over all networks, with ten times the limit; a known browser is exempt', async () => {
    const on = strict();
    const device = await deviceOf(on, ada, ELSEWHERE);
    const statuses = await guesses(on, ada.email, LIMIT * 10 + 5, (n) => `198.51.100.${n}`);
    expect(statuses).toEqual([...Array<number>(LIMIT * 10).fill(401), ...Array<number>(5).fill(429)]);
    await expectRefused(logIn(on, ada.email, ada.password, ELSEWHERE), 429);
    await logIn(on, ada.email, ada.password, ELSEWHERE, device).expect(200);
    // Another network that the same browser moved to, and one that used up its own guesses.
    await logIn(on, ada.email, ada.password, '192.0.2.77', device).expect(200);
  });

  it('of a known browser count for that browser only', async () => {
    const on = strict();
    const device = await deviceOf(on, ada, ELSEWHERE);
    for (let n = 0; n < LIMIT; n += 1)
      await expectRefused(logIn(on, ada.email, 'guess', `198.51.100.${n}`, device), 401);
    await expectRefused(logIn(on, ada.email, ada.password, '198.51.100.99', device), 429);
    await logIn(on, ada.email, ada.password, ELSEWHERE).expect(200);
  });

  it('are not exempt with a cookie of another account, or a forged or expired one', async () => {
    const on = strict();
    const bobs = await deviceOf(on, bob, ELSEWHERE);
    const adas = await deviceOf(on, ada, ELSEWHERE);
    const [name, value] = adas.split('=') as [string, string];
    const [device, until, signature] = value.split('-') as [string, string, string];
    await guesses(on, ada.email, LIMIT, from('198.51.100.3'));
    for (const cookie of [
      bobs,
      `${name}=${bobs.split('=')[1]}`,
      `${name}=${device}-${Number(until) + 1}-${signature}`,
      `${name}=${[...device].reverse().join('')}-${until}-${signature}`,
      `${name}=`,
      `${name}=j:{"a":1}`,
    ])
      await expectRefused(logIn(on, ada.email, ada.password, '198.51.100.3', cookie), 429);
    const later = appOn(
      test.database,
      { RATE_LIMIT_AUTH: '1', TRUST_PROXY: '1' },
      { clock: { now: () => new Date(Date.now() + 181 * 24 * 60 * 60 * 1000) } },
    );
    await expectRefused(logIn(later, ada.email, 'guess', '198.51.100.4'), 401);
    await expectRefused(logIn(later, ada.email, ada.password, '198.51.100.4', adas), 429);
  });

  it('allow no more guesses in parallel than in sequence', async () => {
    const on = strict();
    const burst = await Promise.all(
      Array.from({ length: 60 }, (_, n) => logIn(on, ada.email, `guess ${n}`, '198.51.100.5')),
    );
    expect(burst.filter(({ status }) => status === 401)).toHaveLength(LIMIT);
    expect(burst.filter(({ status }) => status === 429)).toHaveLength(60 - LIMIT);
    await logIn(on, ada.email, ada.password, ELSEWHERE).expect(200);
  });

  it('get the same replies for existing and unknown accounts', async () => {
    const replies = [];
    for (const email of [ada.email, 'nobody-has-this@example.org']) {
      const on = strict();
      const listed = [];
      for (let n = 0; n < LIMIT + 2; n += 1) {
        const { status, body, headers } = await logIn(on, email, `guess ${n}`, '198.51.100.6');
        const names = Object.keys(headers).sort();
        listed.push({ status, code: body.code, names, remaining: headers['ratelimit-remaining'] });
      }
      replies.push(listed);
    }
    expect(replies[1]).toEqual(replies[0]);
    expect(replies[0]!.map(({ status }) => status)).toEqual([401, 401, 401, 401, 429, 429]);
  });
});

describe('right passwords', () => {
  it('never count, in any number, alone or concurrently', async () => {
    const on = strict();
    for (let n = 0; n < LIMIT * 2; n += 1)
      await logIn(on, ada.email, ada.password, '198.51.100.7').expect(200);
    const parallel = await Promise.all(
      Array.from({ length: 40 }, () => logIn(on, ada.email, ada.password, '198.51.100.7')),
    );
    expect(new Set(parallel.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await guesses(on, ada.email, LIMIT + 1, from('198.51.100.7'))).toEqual([401, 401, 401, 401, 429]);
  });

  it('of a suspended user never count, and wrong ones count like those of an unknown address', async () => {
    const carol = await (await newOrganization(test)).addUser('member');
    await test.database.db.raw('UPDATE users SET user_status = 3 WHERE user_id = ?', [carol.userId]);
    const on = strict();
    for (let n = 0; n < LIMIT * 2; n += 1)
      await expectRefused(logIn(on, carol.email, carol.password, ELSEWHERE), 403, 'account_suspended');
    for (const email of [carol.email, 'unknown@example.org'])
      expect(await guesses(on, email, LIMIT + 1, from(ELSEWHERE))).toEqual([401, 401, 401, 401, 429]);
  });

  it('of a dashboard never count; wrong ones count per dashboard and network', async () => {
    const on = strict();
    const { path } = await sharedDashboard();
    const unlock = (password: string, address: string) =>
      supertest(on.app).post(`${path}/unlock`).set('X-Forwarded-For', address).send({ password });
    const visitors = await Promise.all(
      Array.from({ length: 40 }, () => unlock('open sesame', '198.51.100.8')),
    );
    expect(new Set(visitors.map(({ status }) => status))).toEqual(new Set([200]));
    const burst = await Promise.all(Array.from({ length: 30 }, () => unlock('guess', '198.51.100.8')));
    expect(burst.filter(({ status }) => status === 401)).toHaveLength(LIMIT);
    await expectRefused(unlock('open sesame', '198.51.100.8'), 429);
    await unlock('open sesame', ELSEWHERE).expect(200);
    // Logins from that network are counted apart.
    await logIn(on, ada.email, ada.password, '198.51.100.8').expect(200);
  });
});

describe('a failed login', () => {
  it("is in the audit log of the account's organization, with the address and without the password", async () => {
    const on = strict();
    const organization = await newOrganization(test);
    const dora = await organization.addUser('member');
    await expectRefused(logIn(on, dora.email, 'secret guess', '198.51.100.10'), 401);
    const entries = async () =>
      (await organization.admin.get('/api/audit?action=user.login_failed').expect(200)).body.data as object[];
    await expect.poll(entries).toEqual([
      expect.objectContaining({
        user_id: null,
        object_type: 'user',
        object_id: String(dora.userId),
        address: '198.51.100.10',
        credential: null,
        details: null,
      }),
    ]);
    expect(JSON.stringify(await entries())).not.toContain('secret guess');
    // What the limit refused was not verified.
    await guesses(on, dora.email, LIMIT + 10, from('198.51.100.10'));
    await expect.poll(async () => (await entries()).length).toBe(LIMIT);
  });
});

describe('a wrong current password', () => {
  it('counts for the session that sent it, and is in the audit log', async () => {
    const on = strict();
    const organization = await newOrganization(test);
    const eve = await organization.addUser('member');
    const [attacker, owner] = [await signIn(on, eve), await signIn(on, eve)];
    const change = (session: Actor, current_password: string) =>
      session.put(`/api/users/${eve.userId}/change-password`, {
        current_password,
        new_password: 'quite new one',
      });
    const burst = await Promise.all(Array.from({ length: 20 }, () => change(attacker, 'guess')));
    expect(burst.filter(({ status }) => status === 400)).toHaveLength(LIMIT);
    await expectRefused(change(attacker, eve.password), 429);
    await expectRefused(
      attacker.put(`/api/users/${eve.userId}`, { user_email: 'x@y.example', current_password: 'x' }),
      429,
    );
    const { data } = (
      await organization.admin.get('/api/audit?action=user.password_confirmation_failed').expect(200)
    ).body;
    expect(data).toHaveLength(LIMIT);
    await change(owner, eve.password).expect(200);
  });
});

async function sharedDashboard(): Promise<{ path: string }> {
  const dashboard = await newDashboard(admin);
  await share(admin, dashboard, { share_type: 'password', share_password: 'open sesame' });
  return { path: `/api/public/d/${slug}/${dashboard.slug}` };
}
