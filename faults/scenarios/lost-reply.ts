import { publishSurvey } from '../../test/support/served-surveys.ts';
import { SURVEY } from '../support/load-generator.ts';
import { startReplyDroppingProxy } from '../support/reply-dropping-proxy.ts';
import { randomInteger, formatEvidence, type Scenario } from '../support/scenario.ts';
import type { TestBed } from '../support/test-bed.ts';

interface Reply {
  status: number;
  data: Record<string, unknown>;
}

/** Repeatable writes: the request, and the member of the reply that identifies the created object. */
interface Way {
  path: string;
  id: string;
  request: (round: number) => { body: object; headers?: Record<string, string> };
}

/** P2: the reply is lost after the commit, and the client repeats the request at another process. */
export const lostReply: Scenario = {
  name: 'lost-reply',
  promise: 'P2 A lost reply can be retried',
  async run(testBed: TestBed) {
    const rounds = testBed.isShort ? 3 : 60;
    const [first, second] = await testBed.apis(2);
    const { surveyId, linkToken } = await publishSurvey(testBed, first!, SURVEY);
    const salt = randomInteger(testBed.random, 1, 1e9);
    const authored = (name: string, body: object) => (round: number) => ({
      body,
      headers: { 'X-API-Key': testBed.apiKey, 'Idempotency-Key': `${name}-${salt}-${round}` },
    });
    const ways: Way[] = [
      {
        path: `/api/public/s/${linkToken}/responses`,
        id: 'response_id',
        request: (round) => ({ body: { submission_id: `lost-${salt}-${round}`, answers: { Q1: 'once' } } }),
      },
      {
        path: `/api/public/s/${linkToken}/responses`,
        id: 'response_token',
        request: (round) => ({
          body: {
            submission_id: `begun-${salt}-${round}`,
            client_secret: `known-to-this-client-${salt}-${round}`,
            status: 'partial',
            answers: { Q1: 'once' },
          },
        }),
      },
      { path: '/api/surveys', id: 'survey_id', request: authored('survey', { survey_name: 'Made once' }) },
      { path: '/api/invite-links', id: 'invite_id', request: authored('invite', {}) },
      {
        path: `/api/surveys/${surveyId}/links`,
        id: 'link_id',
        request: authored('link', { link_name: 'Made once' }),
      },
    ];
    const proxy = await startReplyDroppingProxy(first!.url);
    const breaks: string[] = [];
    try {
      for (let round = 0; round < rounds; round += 1) {
        for (const way of ways)
          breaks.push(...(await triedTwice(way, round, { thief: proxy, urls: [second!.url, first!.url] })));
      }
    } finally {
      await proxy.close();
    }
    const expected = rounds * ways.length;
    if (proxy.stolen !== expected) breaks.push(`${proxy.stolen} replies were stolen, of ${expected}`);
    return {
      done: `a proxy broke the connection when the reply came, ${rounds} times for each of a response (submission_id), a response that is begun (submission_id and client_secret), a survey, an invite link and a link (Idempotency-Key)`,
      checked: `sent again to another process: the same ${ways.map(({ id }) => id).join(', ')}; ${rounds} rows of each`,
      breaks: [...breaks, ...(await rowBreaks(testBed, surveyId, rounds))],
    };
  },
};

async function triedTwice(
  { path, id, request }: Way,
  round: number,
  { thief: proxy, urls }: { thief: { url: string; steal: () => void }; urls: string[] },
): Promise<string[]> {
  const { body, headers = {} } = request(round);
  const send = async (url: string): Promise<Reply | null> => {
    // A new connection, because the proxy does not drop replies on a kept-alive one.
    const init = { method: 'POST', body: JSON.stringify(body) };
    const all = { 'Content-Type': 'application/json', Connection: 'close', ...headers };
    const reply = await fetch(url + path, { ...init, headers: all }).catch(() => null);
    return reply === null
      ? null
      : { status: reply.status, ...((await reply.json()) as { data: Reply['data'] }) };
  };
  proxy.steal();
  const lost = await send(proxy.url);
  if (lost !== null) return [`${path}: the stolen reply arrived (${lost.status})`];
  const replies: (Reply | null)[] = [];
  for (const url of urls) replies.push(await send(url));
  const ids = replies.map((one) => one?.data?.[id]);
  const isSame =
    (typeof ids[0] === 'number' || typeof ids[0] === 'string') && ids.every((one) => one === ids[0]);
  return isSame ? [] : [`${path}, round ${round}: sent again, it was answered ${JSON.stringify(replies)}`];
}

async function rowBreaks({ db }: TestBed, surveyId: number, rounds: number): Promise<string[]> {
  const { rows } = await db.raw<{ rows: Record<string, number>[] }>(
    `SELECT (SELECT count(*) FROM responses WHERE survey_id = ? AND response_status = 'complete') AS responses,
       (SELECT count(*) FROM responses WHERE survey_id = ? AND response_status = 'partial') AS begun_responses,
       (SELECT count(*) FROM surveys WHERE survey_name = 'Made once') AS surveys,
       (SELECT count(*) FROM invite_links) AS invite_links,
       (SELECT count(*) FROM links WHERE link_name = 'Made once') AS links`,
    [surveyId, surveyId],
  );
  const wrong = Object.entries(rows[0]!).filter(([, count]) => count !== rounds);
  return formatEvidence(`not ${rounds} rows`, wrong);
}
