import { beforeAll, beforeEach, expect, describe, it } from 'vitest';
import { type Actor, anonymous, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { addChart, type TestDashboard, newDashboard, share } from '../../support/dashboards.ts';
import { choice } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { type TestSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
let visitor: Actor;
let survey: TestSurvey;
let board: TestDashboard;
let bar: number;
let path: string;

const pathOf = ({ slug }: TestDashboard) => `/api/public/d/${organization.slug}/${slug}`;

beforeAll(async () => {
  visitor = anonymous(app);
  survey = await publishedSurvey(admin, [[choice('Q1')]]);
});

describe('a dashboard with a password', () => {
  let shareId: number;
  beforeEach(async () => {
    board = await newDashboard(admin);
    bar = await addChart(admin, board, 'bar', { survey_id: survey.surveyId, dimension: 'Q1' });
    shareId = await share(admin, board, { share_type: 'password', share_password: 'open sesame' });
    path = pathOf(board);
  });

  const unlock = async (password = 'open sesame'): Promise<string> => {
    const reply = await visitor.post(`${path}/unlock`, { password }).expect(200);
    const cookies = reply.headers['set-cookie'] as unknown as string[];
    expect(cookies.map((cookie) => /Path=([^;]*)/.exec(cookie)![1])).toEqual([
      path.replace('/api/public', ''),
      path,
    ]);
    for (const cookie of cookies) expect(cookie).toMatch(/HttpOnly; SameSite=Lax/);
    return cookies[0]!.split(';')[0]!;
  };
  const getDashboard = (cookie: string) => visitor.get(path).set('Cookie', cookie);

  it('requires its password and unlocks that dashboard only', async () => {
    for (const request of [visitor.get(path), visitor.post(`${path}/chart-data`, { chart_id: bar })])
      await expectRefused(request, 401, 'password_required');
    await expectRefused(visitor.post(`${path}/unlock`, { password: 'open sesam' }), 401, 'wrong_password');
    const cookie = await unlock();
    const reply = await getDashboard(cookie).expect(200);
    expect(reply.headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'Cookie' });
    await visitor.post(`${path}/chart-data`, { chart_id: bar }).set('Cookie', cookie).expect(200);
    const second = await newDashboard(admin);
    await share(admin, second, { share_type: 'password', share_password: 'open sesame' });
    await expectRefused(visitor.get(pathOf(second)).set('Cookie', cookie), 401, 'password_required');
    for (const forged of ['dashboard_token=x', cookie.replace(/-\d{10}-/, '-9999999999-'), `${cookie}x`])
      await expectRefused(getDashboard(forged), 401, 'password_required');
  });

  it('locks at once when the password changes or the share is deleted', async () => {
    const cookie = await unlock();
    await getDashboard(cookie).expect(200);
    const changed = { share_type: 'password', share_password: 'open barley' };
    const reply = await admin.post(`${board.at}/shares`, changed).expect(200);
    expect(reply.body.data.share_id).toBe(shareId);
    await expectRefused(getDashboard(cookie), 401, 'password_required');
    const next = await unlock('open barley');
    await getDashboard(next).expect(200);
    await admin.delete(`${board.at}/shares/${shareId}`).expect(204);
    await expectRefused(getDashboard(next), 404, 'not_found');
    await share(admin, board, { share_type: 'password', share_password: 'open barley' });
    await expectRefused(getDashboard(next), 401, 'password_required');
  });

  it('expires tokens after eight hours', async () => {
    const cookie = await unlock();
    const later = appOn(app.database, {}, { clock: { now: () => new Date(Date.now() + 8.1 * 3_600_000) } });
    await expectRefused(anonymous(later).get(path).set('Cookie', cookie), 401, 'password_required');
  });

  it('limits attempts per address', async () => {
    const strict = anonymous(appOn(app.database, { RATE_LIMIT_AUTH: '3', TRUST_PROXY: '1' }));
    const guess = (password: string, address: string, at = path) =>
      strict.post(`${at}/unlock`, { password }).set('X-Forwarded-For', address);
    for (let n = 0; n < 3; n += 1)
      await expectRefused(guess(`guess ${n}`, '192.0.2.1'), 401, 'wrong_password');
    await expectRefused(guess('open sesame', '192.0.2.1'), 429);
    await guess('open sesame', '192.0.2.2').expect(200);
    const second = await newDashboard(admin);
    await share(admin, second, { share_type: 'password', share_password: 'open sesame' });
    await guess('open sesame', '192.0.2.1', pathOf(second)).expect(200);
  });
});
