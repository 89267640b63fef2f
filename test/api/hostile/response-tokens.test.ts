import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, fileQuestion, text } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { PNG } from '../../support/sample-files.ts';
import { startResponse } from '../../support/start-response.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const { admin } = useOrganization(test);
const attacker = anonymous(test);
const victim = anonymous(test);
const ATTACKERS_SECRET = 'theAttackersSecret_0123456789';
const VICTIMS_SECRET = 'theVictimsSecret_0123456789';
let survey: PublishedSurvey;

beforeAll(async () => {
  survey = await publishedSurvey(admin, [[choice('Q1'), fileQuestion('F')], [text('Q2')]]);
});

const start = (linkToken: string, body: object) =>
  attacker.post(`/api/public/s/${linkToken}/responses`, { status: 'partial', answers: {}, ...body });
const begin = (submissionId: string) =>
  startResponse(attacker, survey.linkToken, {
    submission_id: submissionId,
    client_secret: ATTACKERS_SECRET,
    hidden: { source: 'mail' },
  });

/** Tries every operation that a response token opens. */
async function expectNothingOpens(address: string): Promise<void> {
  const refusals = [
    attacker.get(address),
    attacker.patch(address, { answers: { Q2: 'overwritten' } }),
    attacker.post(`${address}/complete`, {}),
    attacker.post(`${address}/move`, { client_secret: ATTACKERS_SECRET }),
    attacker.get(`${address}/files`),
    attacker.post(`${address}/files`).field('question_code', 'F').attach('file', PNG, { filename: 'a.png' }),
    attacker.delete(`${address}/files/00000000-0000-4000-8000-000000000000`),
  ];
  for (const refusal of refusals) await expectRefused(refusal, 404, 'not_found');
}

describe('a response that continues in another browser', () => {
  it('is closed to the sender of the link, before and after completion', async () => {
    const sent = await begin('sent-to-victim');
    await sent.save({ Q1: '1' }).expect(200);
    const moved = await victim.post(`${sent.address}/move`, { client_secret: VICTIMS_SECRET }).expect(200);
    expect(moved.headers['cache-control']).toContain('no-store');
    const { response_token: token, answers } = moved.body.data as { response_token: string; answers: object };
    expect(answers).toEqual({ Q1: '1' });
    expect(token).not.toBe(sent.token);
    const own = `/api/public/s/${survey.linkToken}/responses/${token}`;
    await victim.patch(own, { answers: { Q2: 'my secret' } }).expect(200);

    const repeated = { submission_id: 'sent-to-victim', client_secret: ATTACKERS_SECRET };
    for (const address of [sent.address]) await expectNothingOpens(address);
    await expectRefused(start(survey.linkToken, repeated), 409, 'submission_id_taken');
    await victim.post(`${own}/complete`, {}).expect(200);
    await expectNothingOpens(sent.address);
    // A guess of the answers is not confirmed either.
    for (const body of [repeated, { submission_id: 'sent-to-victim' }]) {
      const guess = { ...body, status: 'complete', answers: { Q1: '1', Q2: 'my secret' } };
      await expectRefused(start(survey.linkToken, guess), 409, 'submission_id_taken');
    }
  });

  it('returns the same token to a client that lost the reply, and no token to another', async () => {
    const sent = await startResponse(attacker, survey.linkToken);
    const request = { client_secret: VICTIMS_SECRET };
    const first = await victim.post(`${sent.address}/move`, request).expect(200);
    const again = await victim.post(`${sent.address}/move`, request).expect(200);
    expect(again.body.data.response_token).toBe(first.body.data.response_token);
    await expectRefused(attacker.post(`${sent.address}/move`, { client_secret: ATTACKERS_SECRET }), 404);
  });

  it('goes to one of several browsers that continue it at once', async () => {
    const sent = await startResponse(attacker, survey.linkToken);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        victim.post(`${sent.address}/move`, { client_secret: `${VICTIMS_SECRET}${n}` }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(404)]);
  });

  it('needs the consent of the person who continues', async () => {
    const asking = await publishedSurvey(admin, {
      settings: { consent_text: 'We keep your answers.' },
      pages: [[text('Q1')]],
    });
    const sent = await startResponse(attacker, asking.linkToken, { consent: true });
    const request = { client_secret: VICTIMS_SECRET };
    await expectRefused(victim.post(`${sent.address}/move`, request), 400, 'validation_failed');
    await sent.resume().expect(200);
    await victim.post(`${sent.address}/move`, { ...request, consent: true }).expect(200);
  });

  it('must not have ended', async () => {
    const ended = await startResponse(attacker, survey.linkToken);
    await ended.complete({ Q1: '1' }).expect(200);
    const request = victim.post(`${ended.address}/move`, { client_secret: VICTIMS_SECRET });
    await expectRefused(request, 409, 'response_ended');
  });
});

describe('the token of a response', () => {
  it('shows how an ended response ended, without its contents', async () => {
    const response = await begin('ended');
    await response.save({ Q1: '2', Q2: 'private' }, survey.pageIds[0]).expect(200);
    await response.complete().expect(200);
    const { survey: shown, ...reply } = (await response.resume().expect(200)).body.data;
    expect(JSON.stringify(reply)).not.toMatch(/private|mail/);
    expect(reply).toMatchObject({
      response_status: 'complete',
      answers: {},
      hidden: {},
      submission_id: null,
      last_page_id: null,
    });
    expect(shown.survey_name).toBe('A survey');
    await expectRefused(response.save({ Q2: 'changed' }), 409, 'response_ended');
    await expectRefused(attacker.get(`${response.address}/files`), 409, 'response_ended');
  });

  it('expires 30 days after the last save', async () => {
    const setAge = (days: number, responseId: number) =>
      test.database.db.raw(
        `UPDATE responses SET updated_at = now() - make_interval(days => ?) WHERE response_id = ?`,
        [days, responseId],
      );
    const response = await begin('old');
    await setAge(29, response.responseId);
    await response.save({ Q1: '1' }).expect(200);
    await setAge(31, response.responseId);
    const requests = [
      response.resume(),
      response.save({ Q1: '2' }),
      response.complete(),
      victim.post(`${response.address}/move`, { client_secret: VICTIMS_SECRET }),
      attacker.get(`${response.address}/files`),
    ];
    for (const request of requests) await expectRefused(request, 410, 'response_expired');
  });
});
