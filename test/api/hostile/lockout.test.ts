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
  const home = await newOrganization(test);
  [ada, bob] = [await home.person('member'), await home.person('member')];
  ({ admin, slug } = home);
});

/** The application with a low limit of wrong passwords and counters at zero; requests choose their address. */
const appWithLowLimit = (): TestApp =>
  appOn(test.database, { RATE_LIMIT_AUTH: String(LIMIT), TRUST_PROXY: '1' });

const logIn = (target: TestApp, email: string, password: string, address: string, cookie = '') =>
  supertest(target.app)
    .post('/api/auth')
    .set('X-Forwarded-For', address)
    .set('Cookie', cookie)
    .send({ action: 'login', email, password });

/** Statuses of `count` wrong logins in sequence. */
async function guessPasswords(target: TestApp, email: string, count: number, address: (n: number) => string) {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1)
    statuses.push((await logIn(target, email, `guess ${n}`, address(n))).status);
  return statuses;
}
const always = (address: string) => () => address;

/** Cookies set by a login, as the browser sends them to the login endpoint. */
async function deviceCookie(target: TestApp, person: Actor, address: string): Promise<string> {
  const reply = await logIn(target, person.email, person.password, address).expect(200);
  return (reply.headers['set-cookie'] as unknown as string[])
    .filter((cookie) => cookie.startsWith('known_device_'))
    .map((cookie) => cookie.split(';')[0]!)
    .join('; ');
}

describe('wrong passwords', () => {
  it('from one network never lock the owner out on another network', async () => {
    const target = appWithLowLimit();
    expect(await guessPasswords(target, ada.email, LIMIT + 50, always('198.51.100.1'))).toEqual([
      ...Array<number>(LIMIT).fill(401),
      ...Array<number>(50).fill(429),
    ]);
    await logIn(target, ada.email, ada.password, ELSEWHERE).expect(200);
    // The right password does not help the network that used up its guesses.
    await expectRefused(logIn(target, ada.email, ada.password, '198.51.100.1'), 429, 'too_many_requests');
    await logIn(target, bob.email, bob.password, '198.51.100.1').expect(200);
  });

  it('count per /56 of IPv6 and per account, in any spelling of the address', async () => {
    const target = appWithLowLimit();
    const rotating = await guessPasswords(target, ada.email, LIMIT, (n) => `2001:db8:1:1${n}${n}::${n + 1}`);
    expect(new Set(rotating)).toEqual(new Set([401]));
    for (const spelling of [ada.email, ada.email.toUpperCase(), `  ${ada.email} `])
      await expectRefused(logIn(target, spelling, 'guess', '2001:db8:1:1ff::ff'), 429);
    await expectRefused(logIn(target, ada.email, 'guess', '2001:db8:1:200::1'), 401);
  });

  it('count per network over all accounts, five times as many', async () => {
    const target = appWithLowLimit();
    const statuses: number[] = [];
    for (let n = 0; n < LIMIT * 5 + 3; n += 1)
      statuses.push((await logIn(target, `p${n}@example.org`, 'guess', '198.51.100.2')).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(LIMIT * 5);
    await expectRefused(logIn(target, ada.email, ada.password, '198.51.100.2'), 429);
    await logIn(target, ada.email, ada.password, ELSEWHERE).expect(200);
  });

  it('count per account over all networks, ten times as many; a browser that signed in before passes', async () => {
    const target = appWithLowLimit();
    const device = await deviceCookie(target, ada, ELSEWHERE);
    const statuses = await guessPasswords(target, ada.email, LIMIT * 10 + 5, (n) => `198.51.100.${n}`);
    expect(statuses).toEqual([...Array<number>(LIMIT * 10).fill(401), ...Array<number>(5).fill(429)]);
    await expectRefused(logIn(target, ada.email, ada.password, ELSEWHERE), 429);
    await logIn(target, ada.email, ada.password, ELSEWHERE, device).expect(200);
    // The known browser may also sign in from a network that is new to it.
    await logIn(target, ada.email, ada.password, '192.0.2.77', device).expect(200);
  });

  it('of a known browser count only against that browser', async () => {
    const target = appWithLowLimit();
    const device = await deviceCookie(target, ada, ELSEWHERE);
    for (let n = 0; n < LIMIT; n += 1)
      await expectRefused(logIn(target, ada.email, 'guess', `198.51.100.${n}`, device), 401);
    await expectRefused(logIn(target, ada.email, ada.password, '198.51.100.99', device), 429);
    await logIn(target, ada.email, ada.password, ELSEWHERE).expect(200);
  });

  it('are limited despite a device cookie that is forged, expired or of another account', async () => {
    const target = appWithLowLimit();
    const bobs = await deviceCookie(target, bob, ELSEWHERE);
    const adas = await deviceCookie(target, ada, ELSEWHERE);
    const [name, value] = adas.split('=') as [string, string];
    const [device, expiresAt, signature] = value.split('-') as [string, string, string];
    await guessPasswords(target, ada.email, LIMIT, always('198.51.100.3'));
    for (const cookie of [
      bobs,
      `${name}=${bobs.split('=')[1]}`,
      `${name}=${device}-${Number(expiresAt) + 1}-${signature}`,
      `${name}=${[...device].reverse().join('')}-${expiresAt}-${signature}`,
      `${name}=`,
      `${name}=j:{"a":1}`,
    ])
      await expectRefused(logIn(target, ada.email, ada.password, '198.51.100.3', cookie), 429);
    const later = appOn(
      test.database,
      { RATE_LIMIT_AUTH: '1', TRUST_PROXY: '1' },
      { clock: { now: () => new Date(Date.now() + 181 * 24 * 60 * 60 * 1000) } },
    );
    await expectRefused(logIn(later, ada.email, 'guess', '198.51.100.4'), 401);
    await expectRefused(logIn(later, ada.email, ada.password, '198.51.100.4', adas), 429);
  });

  it('sent in parallel get no more attempts than in sequence', async () => {
    const target = appWithLowLimit();
    const burst = await Promise.all(
      Array.from({ length: 60 }, (_, n) => logIn(target, ada.email, `guess ${n}`, '198.51.100.5')),
    );
    expect(burst.filter(({ status }) => status === 401)).toHaveLength(LIMIT);
    expect(burst.filter(({ status }) => status === 429)).toHaveLength(60 - LIMIT);
    await logIn(target, ada.email, ada.password, ELSEWHERE).expect(200);
  });

  it('get the same replies for existing and unknown accounts', async () => {
    const replies = [];
    for (const email of [ada.email, 'unknown@example.org']) {
      const target = appWithLowLimit();
      const seen = [];
      for (let n = 0; n < LIMIT + 2; n += 1) {
        const { status, body, headers } = await logIn(target, email, `guess ${n}`, '198.51.100.6');
        const names = Object.keys(headers).sort();
        seen.push({ status, code: body.code, names, remaining: headers['ratelimit-remaining'] });
      }
      replies.push(seen);
    }
    expect(replies[1]).toEqual(replies[0]);
    expect(replies[0]!.map(({ status }) => status)).toEqual([401, 401, 401, 401, 429, 429]);
  });
});

describe('right passwords', () => {
  it('never count, in sequence or in parallel', async () => {
    const target = appWithLowLimit();
    for (let n = 0; n < LIMIT * 2; n += 1)
      await logIn(target, ada.email, ada.password, '198.51.100.7').expect(200);
    const parallel = await Promise.all(
      Array.from({ length: 40 }, () => logIn(target, ada.email, ada.password, '198.51.100.7')),
    );
    expect(new Set(parallel.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await guessPasswords(target, ada.email, LIMIT + 1, always('198.51.100.7'))).toEqual([
      401, 401, 401, 401, 429,
    ]);
  });

  it('of a suspended user never count either, and wrong ones count as those of an unknown address', async () => {
    const carol = await (await newOrganization(test)).person('member');
    await test.database.db.raw('UPDATE users SET user_status = 3 WHERE user_id = ?', [carol.userId]);
    const target = appWithLowLimit();
    for (let n = 0; n < LIMIT * 2; n += 1)
      await expectRefused(logIn(target, carol.email, carol.password, ELSEWHERE), 403, 'account_suspended');
    for (const email of [carol.email, 'unknown@example.org'])
      expect(await guessPasswords(target, email, LIMIT + 1, always(ELSEWHERE))).toEqual([
        401, 401, 401, 401, 429,
      ]);
  });

  it('of a dashboard never count; wrong ones count per dashboard and network', async () => {
    const target = appWithLowLimit();
    const { path } = await sharedDashboard();
    const unlock = (password: string, address: string) =>
      supertest(target.app).post(`${path}/unlock`).set('X-Forwarded-For', address).send({ password });
    const visitors = await Promise.all(
      Array.from({ length: 40 }, () => unlock('open sesame', '198.51.100.8')),
    );
    expect(new Set(visitors.map(({ status }) => status))).toEqual(new Set([200]));
    const burst = await Promise.all(Array.from({ length: 30 }, () => unlock('guess', '198.51.100.8')));
    expect(burst.filter(({ status }) => status === 401)).toHaveLength(LIMIT);
    await expectRefused(unlock('open sesame', '198.51.100.8'), 429);
    await unlock('open sesame', ELSEWHERE).expect(200);
    // Logins from that network are counted separately.
    await logIn(target, ada.email, ada.password, '198.51.100.8').expect(200);
  });
});

describe('a failed login', () => {
  it('is recorded in the audit log of the account’s organization, with the address and without the password', async () => {
    const target = appWithLowLimit();
    const home = await newOrganization(test);
    const dora = await home.person('member');
    await expectRefused(logIn(target, dora.email, 'secret guess', '198.51.100.10'), 401);
    const entries = async () =>
      (await home.admin.get('/api/audit?action=user.login_failed').expect(200)).body.data as object[];
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
    // Attempts beyond the limit are not verified, so they are not recorded.
    await guessPasswords(target, dora.email, LIMIT + 10, always('198.51.100.10'));
    await expect.poll(async () => (await entries()).length).toBe(LIMIT);
  });
});

describe('a wrong current password', () => {
  it('counts against the session that sent it, and is recorded in the audit log', async () => {
    const target = appWithLowLimit();
    const home = await newOrganization(test);
    const eve = await home.person('member');
    const [thief, owner] = [await signIn(target, eve), await signIn(target, eve)];
    const change = (session: Actor, current_password: string) =>
      session.put(`/api/users/${eve.userId}/change-password`, {
        current_password,
        new_password: 'quite new one',
      });
    const burst = await Promise.all(Array.from({ length: 20 }, () => change(thief, 'guess')));
    expect(burst.filter(({ status }) => status === 400)).toHaveLength(LIMIT);
    await expectRefused(change(thief, eve.password), 429);
    await expectRefused(
      thief.put(`/api/users/${eve.userId}`, { user_email: 'x@y.example', current_password: 'x' }),
      429,
    );
    const { data } = (await home.admin.get('/api/audit?action=user.password_confirmation_failed').expect(200))
      .body;
    expect(data).toHaveLength(LIMIT);
    await change(owner, eve.password).expect(200);
  });
});

async function sharedDashboard(): Promise<{ path: string }> {
  const dashboard = await newDashboard(admin);
  await share(admin, dashboard, { share_type: 'password', share_password: 'open sesame' });
  return { path: `/api/public/d/${slug}/${dashboard.slug}` };
}
