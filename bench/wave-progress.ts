import { bigFiveSurvey } from '../seeds/demo/big-five.ts';
import type { Figure } from './support/figure.ts';
import { interleaved, medianRatio, medianTime, measureMs } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';
import { call, publishSurvey } from '../test/support/served-surveys.ts';

const WAVES = 100;
const RESPONSES_EACH = 1_000;
const ROUNDS = 25;
const COUNTED = `SELECT wave_id, response_status, count(*) FROM responses
  WHERE survey_id = ? AND wave_id IS NOT NULL AND deleted_at IS NULL AND NOT is_test GROUP BY 1, 2`;

/** The progress of many active waves with their quotas, as a whole request, against counting their responses in PostgreSQL. */
export async function waveProgress(testBed: TestBed): Promise<Figure[]> {
  const api = await testBed.api();
  const { surveyId } = await publishSurvey(testBed, api, bigFiveSurvey());
  await testBed.db.raw(
    `WITH made AS (
       INSERT INTO waves (organization_id, survey_id, wave_name, quota_revision)
       SELECT organization_id, survey_id, 'Wave ' || n, 1 FROM surveys, generate_series(1, ${WAVES}) n WHERE survey_id = ?
       RETURNING survey_id, wave_id),
     quota AS (
       INSERT INTO quotas (survey_id, wave_id, quota_name, mode, quota_order) SELECT survey_id, wave_id, 'Gender by age', 'hard', 0 FROM made
       RETURNING survey_id, wave_id, quota_id)
     INSERT INTO quota_cells (quota_id, survey_id, wave_id, cell_label, condition, target, cell_order)
     SELECT quota_id, survey_id, wave_id, 'Cell ' || n, '{}', 500, n FROM quota, generate_series(1, 8) n`,
    [surveyId],
  );
  await testBed.db.raw(
    `INSERT INTO responses (survey_id, response_token, response_status, survey_version, wave_id, answers, quota_cells)
     SELECT ?, md5(wave_id || ' ' || n), CASE WHEN n % 10 = 0 THEN 'screened_out' WHEN n % 7 = 0 THEN 'partial' ELSE 'complete' END,
       1, wave_id, '{"A1": 1}', ARRAY[(SELECT cell_id FROM quota_cells c WHERE c.wave_id = v.wave_id AND cell_order = 1 + n % 8)]
     FROM waves v, generate_series(1, ${RESPONSES_EACH}) n WHERE v.survey_id = ?`,
    [surveyId, surveyId],
  );
  await testBed.db.raw('ANALYZE');
  const { ours, counted } = await interleaved(ROUNDS, {
    ours: () => measureMs(() => call(testBed, api, 'GET', '/api/surveys/waves/progress')),
    counted: () => measureMs(() => testBed.db.raw(COUNTED, [surveyId])),
  });
  return [
    {
      what: `Progress of ${WAVES} active waves of ${RESPONSES_EACH.toLocaleString('en')} responses and 8 cells each over HTTP (speed-up)`,
      ours: medianTime(ours),
      yardstick: medianTime(counted),
      against: 'counting them in PostgreSQL',
      ratio: medianRatio(counted, ours),
      target: { atLeast: 1 },
    },
  ];
}
