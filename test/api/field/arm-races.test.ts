import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, type Actor, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { startResponse } from '../../support/start-response.ts';
import { publish, draftSurvey, type PublishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;
const ARMS = 100;
const AT_ONCE = 50;
let processes: Actor[];

beforeAll(() => {
  processes = [anonymous(app), anonymous(appOn(app.database))];
});

/** A survey of a page, and a block of a page that fills its arms evenly. */
async function experiment(arms: number): Promise<PublishedSurvey & { blockId: number }> {
  const draft = await draftSurvey(author, [[choice('Q1')], [choice('Q2')], [choice('Q3')]]);
  const { body } = await author
    .post(`/api/surveys/${draft.surveyId}/blocks`, {
      block_code: 'ARM',
      arms: Array.from({ length: arms }, (_, index) => ({ arm_code: `a${index + 1}` })),
      arm_assignment: 'least_filled',
      page_ids: [draft.pageIds[1]],
    })
    .expect(201);
  return { ...draft, ...(await publish(author, draft.surveyId)), blockId: body.data.block_id };
}

/** Completed responses by arm, and those that the counters have. */
async function filled(
  survey: PublishedSurvey,
): Promise<{ stored: number[]; counted: number[]; reserved: number }> {
  const read = async (sql: string) => {
    const { rows } = await app.database.db.raw(sql, [survey.surveyId]);
    return (rows as { count: number }[]).map(({ count }) => count);
  };
  const [reserved] = await read('SELECT count(*)::int AS count FROM arm_reservations WHERE survey_id = ?');
  return {
    stored: await read(
      `SELECT count(*)::int AS count FROM responses, jsonb_each_text(presentation -> 'arms') AS arm (block, code)
       WHERE survey_id = ? AND response_status = 'complete' AND deleted_at IS NULL AND NOT is_test GROUP BY code ORDER BY code`,
    ),
    counted: await read(
      `SELECT sum(completes)::int AS count FROM arm_counts WHERE survey_id = ? GROUP BY arm_code HAVING sum(completes) > 0 ORDER BY arm_code`,
    ),
    reserved: reserved ?? 0,
  };
}

describe('arms that fill evenly', () => {
  it('differ by one at most, with fifty respondents at a time at two processes', async () => {
    const survey = await experiment(ARMS);
    const answer = async (person: number) => {
      const by = processes[person % 2]!;
      const response = await startResponse(by, survey.linkToken);
      await response.save({ Q1: '1' }, survey.pageIds[0]).expect(200);
      // Every fifth respondent leaves; others save a page twice, as after a lost connection.
      if (person % 5 === 4) return;
      await response.save({ Q2: '1' }, survey.pageIds[1]).expect(200);
      if (person % 7 === 0) await response.save({ Q2: '1' }, survey.pageIds[1]).expect(200);
      await response.complete();
    };
    let person = 0;
    const work = async () => {
      while (person < 3 * ARMS) await answer(person++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const { stored, counted, reserved } = await filled(survey);
    expect(counted).toEqual(stored);
    expect(reserved).toBe(60);
    const { rows } = await app.database.db.raw(
      `SELECT sum(n)::int AS count FROM (
         SELECT arm_code, completes AS n FROM arm_counts WHERE survey_id = ?
         UNION ALL SELECT arm_code, 1 FROM arm_reservations WHERE survey_id = ?) AS filled GROUP BY arm_code`,
      [survey.surveyId, survey.surveyId],
    );
    const all = (rows as { count: number }[]).map(({ count }) => count);
    expect(all).toHaveLength(ARMS);
    expect(Math.max(...all) - Math.min(...all)).toBeLessThanOrEqual(1);
  });

  it('count again who leaves, who is deleted and who is restored', async () => {
    const survey = await experiment(2);
    const [by] = processes;
    const armOf = async (): Promise<{ arm: string; response: Awaited<ReturnType<typeof startResponse>> }> => {
      const response = await startResponse(by!, survey.linkToken);
      const { body } = await response.save({ Q1: '1' }, survey.pageIds[0]).expect(200);
      return { arm: body.data.arms[survey.blockId], response };
    };
    const first = await armOf();
    const second = await armOf();
    expect([first.arm, second.arm].sort()).toEqual(['a1', 'a2']);
    // The first one leaves: its reservation expires, and its arm is the least filled.
    await app.database
      .db('arm_reservations')
      .where({ arm_code: first.arm })
      .update({ reserved_until: new Date(0) });
    const third = await armOf();
    expect(third.arm).toBe(first.arm);
    await second.response.complete();
    await third.response.complete();
    // It returns, keeps its arm, and counts in it.
    await first.response.save({ Q2: '2' }, survey.pageIds[1]).expect(200);
    await first.response.complete();
    const fourth = await armOf();
    expect(fourth.arm).toBe(second.arm);
    await author
      .post(`/api/responses/${survey.surveyId}/bulk`, {
        action: 'delete',
        response_ids: [first.response.responseId, third.response.responseId],
      })
      .expect(200);
    expect((await armOf()).arm).toBe(first.arm);
    const { stored, counted, reserved } = await filled(survey);
    expect(counted).toEqual(stored);
    // An erased interview leaves no reservation.
    await author
      .post(`/api/responses/${survey.surveyId}/rows/${fourth.response.responseId}/erase`)
      .expect(200);
    expect((await filled(survey)).reserved).toBe(reserved - 1);
  });
});

describe('items of a loop that fill evenly', () => {
  const ITEMS = ['a', 'b', 'c', 'd', 'e', 'f'];
  const SHOWN = 2;

  /** A question with six options, a loop over two of the chosen ones, and a last question. */
  async function loopSurvey(): Promise<PublishedSurvey> {
    const options = ITEMS.map((value) => ({ option_value: value, option_label: value }));
    const draft = await draftSurvey(author, [
      [{ question_type: 'multiple_choice', question_code: 'Q1', options }],
      [choice('Q2')],
      [choice('Q3')],
    ]);
    await author
      .post(`/api/surveys/${draft.surveyId}/blocks`, {
        block_code: 'ITEM',
        block_loop: { question_code: 'Q1', order: 'least_filled', max_items: SHOWN },
        page_ids: [draft.pageIds[1]],
      })
      .expect(201);
    return { ...draft, ...(await publish(author, draft.surveyId)) };
  }

  it('are shown equally often, twice to each of fifty respondents at a time at two processes', async () => {
    const survey = await loopSurvey();
    const { body } = await processes[0]!.get(`/api/public/s/${survey.linkToken}`).expect(200);
    const pages = body.data.pages as { page_id: number; questions: { question_code: string }[] }[];
    const answer = async (person: number) => {
      const by = processes[person % 2]!;
      const response = await startResponse(by, survey.linkToken);
      let reply = await response.save({ Q1: ITEMS }, survey.pageIds[0]).expect(200);
      const shown: string[] = [];
      for (;;) {
        const page = pages.find(({ page_id: id }) => id === reply.body.data.next_page_id)!;
        const [{ question_code: code } = { question_code: '' }] = page.questions;
        if (code === 'Q3') break;
        shown.push(code);
        reply = await response.save({ [code]: '1' }, page.page_id).expect(200);
        // As after a lost connection.
        if (person % 7 === 0) reply = await response.save({ [code]: '1' }, page.page_id).expect(200);
      }
      expect(new Set(shown).size).toBe(SHOWN);
      await response.complete({ Q3: '1' }).expect(200);
    };
    let person = 0;
    const work = async () => {
      while (person < 60) await answer(person++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const { rows } = await app.database.db.raw(
      'SELECT block_id, sum(completes)::int AS count FROM arm_counts WHERE survey_id = ? GROUP BY block_id',
      [survey.surveyId],
    );
    expect((rows as { count: number }[]).map(({ count }) => count)).toEqual(ITEMS.map(() => 20));
    expect((await filled(survey)).reserved).toBe(0);
  });

  it('are replaced when a respondent goes back and does not choose them any more', async () => {
    const survey = await loopSurvey();
    const [by] = processes;
    const response = await startResponse(by!, survey.linkToken);
    const first = await response.save({ Q1: ['a', 'b', 'c'] }, survey.pageIds[0]).expect(200);
    const blocks = (await by!.get(`/api/public/s/${survey.linkToken}`).expect(200)).body.data.blocks as {
      block_id: number;
      block_code: string;
    }[];
    const shown = (arms: Record<string, string>) =>
      blocks.filter(({ block_id: id }) => id in arms).map(({ block_code: code }) => code);
    expect(shown(first.body.data.arms)).toHaveLength(SHOWN);
    const again = await response.save({ Q1: ['e', 'f'] }, survey.pageIds[0]).expect(200);
    await response.save({ 'Q2[e]': '1' }, again.body.data.next_page_id).expect(200);
    await response.complete({ 'Q2[e]': '1', 'Q2[f]': '2', Q3: '1' }).expect(200);
    const { body } = await author.get(`/api/responses/${survey.surveyId}/grid`).expect(200);
    expect(body.data.rows[0].values).toMatchObject({ 'Q2[a]': null, 'Q2[e]': '1', 'Q2[f]': '2' });
  });
});
