import { beforeAll, describe, expect, test } from 'vitest';
import { type Actor, anonymous, newOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { choice } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { daysFromNow, type Wave, createWave } from '../../support/waves.ts';

const app = useApp();
const respondent = anonymous(app);
const PROGRESS = '/api/surveys/waves/progress';
let author: Actor;
let survey: PublishedSurvey;

interface Progress extends Wave {
  percent: number | null;
  partial: number;
  screened_out: number;
  quotas: object[];
}

beforeAll(async () => {
  author = (await newOrganization(app)).admin;
  const screenOut = { when: { left: { code: 'Q1' }, operator: 'equals', right: '3' }, action: 'screen_out' };
  survey = await publishedSurvey(author, [
    [choice('Q1', { question_settings: { logic: { skip: [screenOut] } } })],
    [choice('Q2')],
  ]);
});

const submit = (Q1: string) =>
  respondent.post(`/api/public/s/${survey.linkToken}/responses`, { answers: { Q1 } }).expect(201);
async function progress(query = ''): Promise<Progress[]> {
  return (await author.get(`${PROGRESS}?${query}`).expect(200)).body.data;
}

/** As `PATCH …/quotas` stores it. */
async function quotaOf(
  { wave_id }: Wave,
  mode: string,
  cells: { label: string; target: number | null; completed: number; over: number }[],
): Promise<{ quotaId: number; cellIds: number[] }> {
  const { db } = app.database;
  const quota = await db.raw(
    `INSERT INTO quotas (survey_id, wave_id, quota_name, mode, quota_order) VALUES (?, ?, ?, ?, 0) RETURNING quota_id`,
    [survey.surveyId, wave_id, `A ${mode} quota`, mode],
  );
  const quotaId: number = quota.rows[0].quota_id;
  const cellIds: number[] = [];
  for (const [index, cell] of cells.entries()) {
    const created = await db.raw(
      `INSERT INTO quota_cells (quota_id, survey_id, wave_id, cell_label, condition, target, cell_order, completed, over_quota)
       VALUES (?, ?, ?, ?, '{}', ?, ?, ?, ?) RETURNING cell_id`,
      [quotaId, survey.surveyId, wave_id, cell.label, cell.target, index, cell.completed, cell.over] as never,
    );
    cellIds.push(created.rows[0].cell_id);
  }
  await db.raw('UPDATE waves SET quota_revision = quota_revision + 1 WHERE wave_id = ?', [wave_id]);
  return { quotaId, cellIds };
}

describe('the progress of waves', () => {
  let wave: Wave;

  beforeAll(async () => {
    wave = await createWave(author, survey.surveyId, { wave_name: 'Now', target: 7 });
    for (const Q1 of ['1', '2', '3']) await submit(Q1);
    await startResponse(respondent, survey.linkToken);
    await createWave(author, survey.surveyId, { wave_name: 'Past', wave_end_date: daysFromNow(-1) });
    await createWave(author, survey.surveyId, { wave_name: 'Future', wave_start_date: daysFromNow(1) });
  });

  test('lists the active waves with counts and targets', async () => {
    const [only, ...others] = await progress();
    expect(others).toEqual([]);
    expect(only).toEqual({
      ...wave,
      completed: 2,
      percent: 28.6,
      partial: 1,
      screened_out: 1,
      quotas: [],
    });
  });

  test('has no percentage without a target', async () => {
    await author.put(`/api/surveys/waves/${wave.wave_id}`, { target: null }).expect(200);
    expect(await progress()).toMatchObject([{ target: null, percent: null, completed: 2 }]);
  });

  test('has every cell of every quota; the target defaults to the largest quota', async () => {
    const hard = await quotaOf(wave, 'hard', [
      { label: 'Men', target: 10, completed: 4, over: 3 },
      { label: 'Women', target: 15, completed: 15, over: 0 },
    ]);
    const soft = await quotaOf(wave, 'soft', [{ label: 'Young', target: 20, completed: 22, over: 0 }]);
    const counter = await quotaOf(wave, 'counter', [{ label: 'All', target: null, completed: 5, over: 0 }]);
    const hold = `INSERT INTO quota_reservations (survey_id, response_id, cell_id, wave_id, reserved_until)
      VALUES (?, ?, ?, ?, now() + make_interval(mins => ?))`;
    for (const [responseId, minutes] of [
      [1, 10],
      [2, 10],
      [3, -1],
    ]) {
      await app.database.db.raw(hold, [
        survey.surveyId,
        responseId!,
        hard.cellIds[0]!,
        wave.wave_id,
        minutes!,
      ]);
    }
    const [shown] = await progress();
    expect(shown).toMatchObject({ target: 25, percent: 8 });
    expect(shown!.quotas).toEqual([
      {
        quota_id: hard.quotaId,
        quota_name: 'A hard quota',
        mode: 'hard',
        cells: [
          {
            cell_id: hard.cellIds[0],
            cell_label: 'Men',
            target: 10,
            completed: 4,
            pending: 2,
            over_quota: 3,
            remaining: 4,
          },
          {
            cell_id: hard.cellIds[1],
            cell_label: 'Women',
            target: 15,
            completed: 15,
            pending: 0,
            over_quota: 0,
            remaining: 0,
          },
        ],
      },
      expect.objectContaining({
        quota_id: soft.quotaId,
        cells: [expect.objectContaining({ completed: 22, over_quota: 2, remaining: 0 })],
      }),
      expect.objectContaining({
        quota_id: counter.quotaId,
        cells: [expect.objectContaining({ target: null, over_quota: 0, remaining: null })],
      }),
    ]);

    const at = `/api/surveys/waves/${wave.wave_id}`;
    const read = await author.get(at).expect(200);
    expect(read.body.data.target).toBe(25);
    // Sent back as it was read, the target still follows the quotas.
    await author.put(at, { ...read.body.data, wave_name: 'Named' }).expect(200);
    await app.database.db.raw(`UPDATE quota_cells SET target = 16 WHERE cell_id = ?`, [hard.cellIds[1]!]);
    expect(await progress()).toMatchObject([{ wave_name: 'Named', target: 26 }]);
    await author.put(at, { target: 40 }).expect(200);
    expect(await progress()).toMatchObject([{ target: 40, percent: 5 }]);
  });
});

describe('the progress of a hundred waves', () => {
  test('needs two queries and reads no responses', async () => {
    const { admin } = await newOrganization(app);
    const other = await publishedSurvey(admin);
    await app.database.db.raw(
      `INSERT INTO waves (organization_id, survey_id, wave_name, target)
       SELECT s.organization_id, s.survey_id, 'Wave ' || n, 10 FROM surveys s, generate_series(1, 100) n WHERE s.survey_id = ?`,
      [other.surveyId],
    );
    const statements: string[] = [];
    const listen = ({ sql }: { sql: string }) => statements.push(sql);
    app.database.db.on('query', listen);
    const { body } = await admin.get(PROGRESS).expect(200);
    app.database.db.removeListener('query', listen);
    expect(body.data).toHaveLength(100);
    expect(body.meta.total).toBe(100);
    expect(statements.filter((sql) => /"waves" as "v"/.test(sql))).toHaveLength(2);
    expect(statements.filter((sql) => /\bresponses\b/.test(sql))).toEqual([]);
    const page = await admin.get(`${PROGRESS}?limit=30&page=4`).expect(200);
    expect(page.body.data).toHaveLength(10);
    await expectInvalidField(admin.get(`${PROGRESS}?survey_id=0`), 'survey_id');
    await expectInvalidField(admin.get(`${PROGRESS}?wave_status=ended`), 'wave_status');
  });
});
