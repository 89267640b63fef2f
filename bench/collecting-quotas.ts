import { bigFiveResponses, bigFiveSurvey } from '../seeds/demo/big-five.ts';
import type { Figure } from './support/figure.ts';
import { runLoad } from './support/load.ts';
import { requestsFigure } from './support/requests-figure.ts';
import { interleaved } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';
import { call, publishSurvey } from '../test/support/served-surveys.ts';

const ROUNDS = 5;
const SECONDS = 4;
const CELLS = 12;

/** Complete Big Five responses over HTTP, to a survey without waves, one with a wave, and one whose wave has hard quotas. */
export async function collectingQuotas(testBed: TestBed): Promise<Figure[]> {
  const api = await testBed.api();
  const { answers } = bigFiveResponses().find((response) => !Object.values(response.answers).includes(null))!;
  const body = JSON.stringify({ submission_id: '[<id>]', answers });
  const survey = async (quotas: object[] | null) => {
    const { surveyId, linkToken } = await publishSurvey(testBed, api, bigFiveSurvey());
    if (quotas !== null) {
      const createdWave = (await call(testBed, api, 'POST', '/api/surveys/waves', {
        survey_id: surveyId,
        wave_name: 'A wave',
      })) as { data: { wave_id: number } };
      if (quotas.length > 0)
        await call(testBed, api, 'PATCH', `/api/surveys/waves/${createdWave.data.wave_id}/quotas`, {
          quotas,
        });
    }
    const path = `/api/public/s/${linkToken}/responses`;
    return () => runLoad({ server: api, path, method: 'POST', body, seconds: SECONDS });
  };
  const [code, value] = Object.entries(answers)[0]!;
  const condition = { left: { code }, operator: 'equals', right: value as string };
  const cells = Array.from({ length: CELLS }, (_, index) => ({
    cell_label: `Cell ${index}`,
    condition: { conditions: [condition, { left: { code }, operator: 'not_equals', right: -1 - index }] },
    target: 10_000_000,
  }));
  const { none, wave, quotas } = await interleaved(ROUNDS, {
    none: await survey(null),
    wave: await survey([]),
    quotas: await survey([
      { quota_name: 'Cells', mode: 'hard', cells },
      {
        quota_name: 'Total',
        mode: 'hard',
        cells: [{ cell_label: 'All', condition: { conditions: [] }, target: 10_000_000 }],
      },
    ]),
  });
  const against = 'a survey without waves';
  const inWave = 'Accepted responses in a wave';
  return [
    requestsFigure(`${inWave} without quotas`, wave, against, none, null),
    requestsFigure(`${inWave} with two hard quotas of ${CELLS + 1} cells`, quotas, against, none, null),
  ];
}
