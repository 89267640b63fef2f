import { beforeAll, describe, expect, test, vi } from 'vitest';
import { anonymous, type Actor, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import {
  type FieldworkFixtures,
  runQuotaRace,
  fillQuotas,
  reportedAndStoredCounts,
} from '../../support/quota-race.ts';
import { startResponse } from '../../support/start-response.ts';
import {
  cell,
  ALL_RESPONDENTS,
  expireQuotaReservations,
  quota,
  setQuotas,
  answersAre,
} from '../../support/quotas.ts';
import { choice } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { type Wave, createWave } from '../../support/waves.ts';

const app = useApp();
const author = useOrganization(app).admin;
let survey: PublishedSurvey;
/** The same respondents, each with a connection to one of two processes. */
let processes: Actor[];

beforeAll(async () => {
  survey = await publishedSurvey(author, [[choice('Gender')], [choice('Age')], [choice('More')]]);
  processes = [anonymous(app), anonymous(appOn(app.database))];
});

const world = (): FieldworkFixtures => ({
  author,
  processes,
  survey,
  expireReservations: (wave) => expireQuotaReservations(app, wave),
});
const stored = async (wave: Wave) => {
  const { rows } = await app.database.db.raw(
    `SELECT cell_id, count(*)::int AS count FROM responses, unnest(quota_cells) AS cell_id
     WHERE wave_id = ? AND response_status = 'complete' AND deleted_at IS NULL GROUP BY cell_id`,
    [wave.wave_id],
  );
  return new Map((rows as { cell_id: number; count: number }[]).map((row) => [row.cell_id, row.count]));
};

describe('fifty concurrent respondents at two processes', () => {
  test.each([1, 2])(
    'never lead an interlocked cell over its target, and leave none unfilled: round %i',
    async () => {
      const race = await runQuotaRace(world());
      // No reservation remains of respondents who left: free places can be taken.
      await fillQuotas(world(), race);
      const cells = await reportedAndStoredCounts(author, race.wave, await stored(race.wave));
      for (const { target, completed, rows, remaining, pending } of cells) {
        expect({ completed, rows, remaining, pending }).toEqual({
          completed: target,
          rows: target,
          remaining: 0,
          pending: 0,
        });
      }
    },
  );

  test('are each counted once, also when edited, deleted and redefined meanwhile', async () => {
    const wave = await createWave(author, survey.surveyId, {});
    const both = [cell('Women', answersAre('Gender', 1), 500), cell('Men', answersAre('Gender', 2), 500)];
    await setQuotas(
      author,
      wave,
      quota('Gender', both),
      quota('All', [cell('All', ALL_RESPONDENTS)], 'counter'),
    );
    const token = survey.linkToken;
    const rows = `/api/responses/${survey.surveyId}`;
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const by = processes[index % 2]!;
        const response = await startResponse(by, token);
        await response.save({ Gender: String((index % 2) + 1) }, survey.pageIds[0]).expect(200);
        const done = await response.complete();
        const changed =
          index % 4 === 0
            ? await author.patch(`${rows}/rows/${response.responseId}`, { values: { Gender: '2' } })
            : index % 4 === 1
              ? await author.post(`${rows}/bulk`, { action: 'delete', response_ids: [response.responseId] })
              : index % 10 === 2
                ? await author.patch(`/api/surveys/waves/${wave.wave_id}/quotas`, {
                    quotas: [
                      quota('Gender', both),
                      quota(`All ${index}`, [cell('All', ALL_RESPONDENTS)], 'counter'),
                    ],
                  })
                : done;
        return [done.status, changed.status];
      }),
    );
    expect(new Set(outcomes.flat())).toEqual(new Set([200]));
    const cells = await reportedAndStoredCounts(author, wave, await stored(wave));
    expect(cells.map(({ cell_label, completed, rows: count }) => ({ cell_label, completed, count }))).toEqual(
      [
        { cell_label: 'Women', completed: 10, count: 10 },
        { cell_label: 'Men', completed: 20, count: 20 },
        { cell_label: 'All', completed: 30, count: 30 },
      ],
    );
  });
});

test('quotas that are replaced in a deadlock with a respondent are replaced again', async () => {
  const wave = await createWave(author, survey.surveyId, {});
  const counter = (name: string) => quota(name, [cell('All', ALL_RESPONDENTS)], 'counter');
  await setQuotas(author, wave, counter('Before'));
  const link = await author
    .post(`/api/surveys/${survey.surveyId}/links`, { wave_id: wave.wave_id })
    .expect(201);
  const response = await startResponse(processes[0]!, link.body.data.link_token as string);
  await response.save({ Gender: '1' }, survey.pageIds[0]).expect(200);

  // The respondent's transaction renews the reservation, then waits for the wave. The deadlock ends the transaction that waited first.
  const respondent = await app.database.db.transaction();
  const { rowCount } = await respondent.raw('SELECT FROM quota_reservations WHERE wave_id = ? FOR UPDATE', [
    wave.wave_id,
  ]);
  expect(rowCount).toBe(1);
  const replaced = author
    .patch(`/api/surveys/waves/${wave.wave_id}/quotas`, { quotas: [counter('After')] })
    .then((reply) => reply.status);
  await vi.waitFor(async () => {
    const { rows } = await app.database.db.raw(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(1);
  });
  await respondent.raw('SELECT FROM wave_quotas WHERE wave_id = ? FOR NO KEY UPDATE', [wave.wave_id]);
  await respondent.commit();
  expect(await replaced).toBe(200);
});
