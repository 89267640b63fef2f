import { beforeAll, describe, expect, test } from 'vitest';
import { anonymous, type Actor, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { expireLinkReservations } from '../../support/expire-reservations.ts';
import { choice } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;
const respondent = anonymous(app);
const ANSWERS = { Q1: '1' };
let survey: PublishedSurvey;
/** The same respondents, each with a connection to one of two processes. */
let processes: Actor[];

beforeAll(async () => {
  survey = await publishedSurvey(author, [[choice('Q1')]]);
  processes = [1, 2].map(() => anonymous(appOn(app.database, { TRUST_PROXY: '1' })));
});

interface LinkBody {
  link_id: number;
  link_token: string;
}

async function linkOf(body: object): Promise<LinkBody> {
  const created = await author.post(`/api/surveys/${survey.surveyId}/links`, body).expect(201);
  return created.body.data;
}

const submit = (link: LinkBody, who = respondent) =>
  who.post(`/api/public/s/${link.link_token}/responses`, { answers: ANSWERS });
/** Each respondent has a network: one network holds a share of the places only. */
const start = (link: LinkBody, who: Actor, network: number) =>
  who
    .post(`/api/public/s/${link.link_token}/responses`, { answers: {}, status: 'partial' })
    .set('X-Forwarded-For', `203.0.113.${network}`);

async function countsOf(link: LinkBody) {
  const { body } = await author.get(`/api/surveys/${survey.surveyId}/links`).expect(200);
  const { complete_count, response_count, link_status } = body.data.find(
    (one: LinkBody) => one.link_id === link.link_id,
  );
  return { complete_count, response_count, link_status };
}

async function completesStored(link: LinkBody): Promise<number> {
  const { rows } = await app.database.db.raw(
    `SELECT count(*) FROM responses WHERE link_id = ? AND response_status = 'complete' AND deleted_at IS NULL`,
    [link.link_id],
  );
  return rows[0].count;
}

describe('fifty concurrent respondents at two processes', () => {
  test.each([1, 2, 3])('never complete more than the quota, and fill it: round %i', async () => {
    const link = await linkOf({ link_quota: 10 });
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const who = processes[index % 2]!;
        if (index % 5 < 2) return (await submit(link, who)).status === 201 ? 'complete' : 'refused';
        const started = await start(link, who, index);
        if (started.status !== 201) return 'refused';
        const address = `/api/public/s/${link.link_token}/responses/${started.body.data.response_token}`;
        await who.patch(address, { answers: ANSWERS }).expect(200);
        if (index % 5 === 4) return 'left';
        return (await who.post(`${address}/complete`, {}).expect(200)).body.data.response_status as string;
      }),
    );
    // Every accepted respondent keeps a reservation until the end; no other was accepted.
    expect(outcomes.filter((outcome) => outcome !== 'refused')).toHaveLength(10);
    const completed = outcomes.filter((outcome) => outcome === 'complete').length;
    expect(outcomes.filter((outcome) => outcome === 'left')).toHaveLength(10 - completed);
    expect(await countsOf(link)).toMatchObject({ complete_count: completed, response_count: 10 });

    await expireLinkReservations(app, link.link_token);
    await Promise.all(Array.from({ length: 20 }, (_, index) => submit(link, processes[index % 2])));
    expect(await countsOf(link)).toMatchObject({ complete_count: 10, link_status: 'full' });
    expect(await completesStored(link)).toBe(10);
  });

  test('complete a unique link once', async () => {
    const link = await linkOf({ link_type: 'unique' });
    const startedResponses = await Promise.all([
      startResponse(processes[0]!, link.link_token),
      startResponse(processes[1]!, link.link_token),
    ]);
    const replies = await Promise.all([
      ...startedResponses.map((response) => response.complete(ANSWERS)),
      ...Array.from({ length: 20 }, (_, index) => submit(link, processes[index % 2])),
    ]);
    expect(replies.filter((reply) => reply.body.data?.response_status === 'complete')).toHaveLength(1);
    expect(await countsOf(link)).toMatchObject({ complete_count: 1, link_status: 'full' });
  });

  test('share the remaining quota with those whose reservations expired', async () => {
    const link = await linkOf({ link_quota: 6 });
    const startedResponses = await Promise.all(
      Array.from({ length: 6 }, (_, index) => startResponse(processes[index % 2]!, link.link_token)),
    );
    await expireLinkReservations(app, link.link_token);
    const [returned] = await Promise.all([
      Promise.all(startedResponses.map((response) => response.complete(ANSWERS))),
      Promise.all(Array.from({ length: 20 }, (_, index) => submit(link, processes[index % 2]))),
    ]);
    expect(await completesStored(link)).toBe(6);
    const ends = new Set(
      returned.map((reply) => reply.body.data?.status_reason ?? reply.body.code ?? 'complete'),
    );
    expect([...ends].every((end) => ['complete', 'over_quota', 'quota_full'].includes(end as string))).toBe(
      true,
    );
  });

  test('accept every request of a respondent who sends all at once', async () => {
    const link = await linkOf({ link_quota: 5 });
    for (const lost of [false, true]) {
      const response = await startResponse(respondent, link.link_token);
      if (lost) await expireLinkReservations(app, link.link_token);
      const replies = await Promise.all([
        response.save(ANSWERS),
        response.complete(ANSWERS),
        response.save({}),
        response.complete(ANSWERS),
        submit(link, processes[1]),
        respondent.get(`${response.address}/files`),
      ]);
      expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
      expect(replies[1].body.data.response_status).toBe('complete');
    }
    expect(await countsOf(link)).toMatchObject({ complete_count: 4, response_count: 4 });
  });
});
