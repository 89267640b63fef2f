import { beforeAll, expect, it } from 'vitest';
import { Store } from '../../../src/repositories/store.ts';
import { ConsistencyService } from '../../../src/services/system/consistency.ts';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { ALL_RESPONDENTS, cell, quota, setQuotas } from '../../support/quotas.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { createWave, type Wave } from '../../support/waves.ts';

const test = useApp();
const { admin } = useOrganization(test);
let survey: PublishedSurvey;
let wave: Wave;
let cellId: number;

/** A survey with a link with a limit, and a wave whose quota is full, so that two of four responses are over quota. */
beforeAll(async () => {
  survey = await publishedSurvey(admin, [[choice('Q1')]]);
  wave = await createWave(admin, survey.surveyId);
  const [created] = await setQuotas(admin, wave, quota('Total', [cell('All', ALL_RESPONDENTS, 2)]));
  cellId = created!.cells[0]!.cell_id;
  const link = await admin
    .post(`/api/surveys/${survey.surveyId}/links`, { wave_id: wave.wave_id, link_quota: 100 })
    .expect(201);
  await admin
    .put(`/api/surveys/${survey.surveyId}`, { survey_settings: { response_limit: 1_000 } })
    .expect(200);
  const path = `/api/public/s/${link.body.data.link_token}/responses`;
  for (let count = 0; count < 3; count += 1) await anonymous(test).post(path, { answers: { Q1: '1' } });
  await anonymous(test).post(`/api/public/s/${survey.linkToken}/responses`, { answers: { Q1: '2' } });
});

const check = () => new ConsistencyService(new Store(test.database.db)).check();

/** The problems after these statements, which are undone. */
async function problemsAfter(damage: string, repair: string): Promise<string[]> {
  await test.database.db.raw(damage);
  try {
    return (await check()).problems.map((problem) => problem.replace(`Survey ${survey.surveyId}: `, ''));
  } finally {
    await test.database.db.raw(repair);
  }
}

it('finds nothing in a database that only the application wrote', async () => {
  const { surveys, problems } = await check();
  expect(problems).toEqual([]);
  expect(surveys).toBeGreaterThan(0);
});

it('finds counts that differ from the responses', async () => {
  const { surveyId } = survey;
  const damage = (sign: '+' | '-') => `
    UPDATE response_counts SET response_count = response_count ${sign} 5 WHERE survey_id = ${surveyId} AND link_id = ${survey.linkId};
    UPDATE hourly_completes SET quarter_2 = quarter_2 ${sign} 50 WHERE survey_id = ${surveyId};
    UPDATE wave_counts SET complete = complete ${sign} 1 WHERE survey_id = ${surveyId};
    UPDATE quota_cells SET over_quota = over_quota ${sign} 1 WHERE survey_id = ${surveyId};`;
  expect(await problemsAfter(damage('+'), damage('-'))).toEqual([
    `link ${survey.linkId}: responses: 6 are counted, but there are 1`,
    expect.stringMatching(/^hour \d+: quarter_2: 5\d are counted, but there are \d$/),
    `wave ${wave.wave_id}: complete: 3 are counted, but there are 2`,
    `quota cell ${cellId}: over_quota: 3 are counted, but there are 2`,
  ]);
});

it('finds limits that differ from those beside the responses', async () => {
  const { surveyId } = survey;
  const problems = await problemsAfter(
    `UPDATE link_limits SET max_completes = 7 WHERE survey_id = ${surveyId}; UPDATE waves SET quota_revision = 9 WHERE wave_id = ${wave.wave_id};`,
    `UPDATE link_limits SET max_completes = CASE link_id WHEN 0 THEN 1000 ELSE 100 END WHERE survey_id = ${surveyId}; UPDATE waves SET quota_revision = 1 WHERE wave_id = ${wave.wave_id};`,
  );
  expect(problems).toEqual([
    `the quota revision of wave ${wave.wave_id} is 9, but 1 beside the responses`,
    'the limit of link 0 is 1000, but 7 beside the responses',
    expect.stringMatching(/^the limit of link \d+ is 100, but 7 beside the responses$/),
  ]);
});

it('finds references to definitions that do not exist', async () => {
  const { surveyId } = survey;
  const problems = await problemsAfter(
    `INSERT INTO frozen_values VALUES (${surveyId}, 987654, 1, 0, '', ''), (87654321, 1, 1, 0, '', '');`,
    'DELETE FROM frozen_values WHERE column_id IN (987654, 1);',
  );
  expect(problems).toEqual([
    'frozen_values has rows of surveys that do not exist: 87654321',
    'frozen_values.column_id names derived_columns that do not exist: 987654',
  ]);
});
