import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Store } from '../../../src/repositories/store.ts';
import { DatasetService } from '../../../src/services/datasets/datasets.ts';
import { SealingService } from '../../../src/services/datasets/segments/sealing.ts';
import { randomNumbers } from '../../../src/lib/seeded-random.ts';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { fullSurvey } from '../../support/full-survey.ts';
import type { PublishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const home = useOrganization(app);
/** Ranges are small here, so that a few hundred responses make many. */
const RANGE = 64;
const LEAST = 10;

let survey: PublishedSurvey;
const store = () => new Store(app.database.db);
const seal = () =>
  new SealingService(store()).seal(survey.surveyId, new AbortController().signal, undefined, RANGE, LEAST);

/** Every cell of every response, as a process that has just been started sees it: in several loads, as figures ask for them. */
async function everything(): Promise<unknown> {
  const fresh = new DatasetService(store(), 1e9);
  const rows = new Map<number, Record<string, unknown>>();
  const { catalog } = await fresh.open(survey.surveyId, () => []);
  for (const half of [0, 1, 2]) {
    const codes = catalog.loadCodes.filter((_, index) => index % 3 === half);
    const { dataset } = await fresh.open(survey.surveyId, () => codes);
    for (const entry of dataset.catalog.columns.filter(({ loadCodes }) => codes.includes(loadCodes[0]!))) {
      const column = dataset.column(entry);
      for (let row = 0; row < dataset.rowCount; row += 1) {
        const id = dataset.responseIds[row]!;
        const cells = rows.get(id) ?? { state: dataset.rowStates[row] };
        cells[entry.spec.columnCode] = [column.cell(row), column.missing(row)];
        rows.set(id, cells);
      }
    }
  }
  return [...rows].sort(([one], [other]) => one - other);
}

const truth = async () => {
  await store().read.responseSegments.forget(survey.surveyId);
  return everything();
};
const segments = async () => (await store().read.responseSegments.state(survey.surveyId))?.ranges ?? [];

/** Changes what is stored behind everybody's back: only who does not read the rows misses it. */
async function behindEverybodysBack(): Promise<void> {
  await app.database.db.transaction(async (trx) => {
    await trx.raw('ALTER TABLE responses DISABLE TRIGGER USER');
    await trx.raw(`UPDATE responses SET answers = answers - 'drink', language = 'xx' WHERE survey_id = ?`, [
      survey.surveyId,
    ]);
    await trx.raw('ALTER TABLE responses ENABLE TRIGGER USER');
  });
}

async function seedSome(count: number, seed: number): Promise<void> {
  await home.admin.post(`/api/responses/${survey.surveyId}/seed`, { count, seed }).expect(201);
}

beforeAll(async () => {
  survey = await fullSurvey(home.admin);
  await seedSome(300, 1);
});
beforeEach(() => store().read.responseSegments.forget(survey.surveyId));

describe('columns that were sealed', () => {
  it('are the same as the responses, cell by cell', async () => {
    const ranges = await seal();
    expect(ranges.map(({ rows }) => rows)).toEqual([64, 64, 64, 64, 47]);
    const sealed = await everything();
    expect(await segments()).toHaveLength(5);
    expect(sealed).toEqual(await truth());
  });

  it('are what is read', async () => {
    await seal();
    const before = await everything();
    await behindEverybodysBack();
    expect(await everything()).toEqual(before);
    expect(await truth()).not.toEqual(before);
  });

  it('are the same whatever was changed since, and are made anew only where it was', async () => {
    const random = randomNumbers(7);
    for (let round = 0; round < 4; round += 1) {
      const before = await seal();
      const { rows } = await app.database.db.raw<{ rows: { response_id: number }[] }>(
        'SELECT response_id FROM responses WHERE survey_id = ? AND deleted_at IS NULL ORDER BY md5(response_id || ?)',
        [survey.surveyId, `round ${round}`],
      );
      const [edited, deleted] = rows.map((row) => row.response_id);
      await home.admin
        .patch(`/api/responses/${survey.surveyId}/rows/${edited}`, {
          values: { cups: Math.floor(random() * 20), why: 'changed' },
        })
        .expect(200);
      await app.database.db.raw('UPDATE responses SET deleted_at = now() WHERE response_id = ?', [deleted!]);
      if (round % 2 === 0) await seedSome(20, round + 2);
      const changed = await everything();
      const after = await seal();
      const stayed = after.filter(({ segment_id: id }) => before.some((range) => range.segment_id === id));
      expect(stayed.length).toBeGreaterThan(0);
      expect(stayed.length).toBeLessThan(after.length);
      expect(await everything()).toEqual(changed);
      expect(changed).toEqual(await truth());
    }
  });

  it('hold a response that another transaction overtook', async () => {
    await app.database.db.transaction(async (late) => {
      await late.raw(
        `INSERT INTO responses (survey_id, link_id, survey_version, response_status, response_token, answers, started_at)
         SELECT survey_id, link_id, survey_version, response_status, 'a late one', answers, started_at FROM responses
         WHERE survey_id = ? LIMIT 1`,
        [survey.surveyId],
      );
      await seedSome(80, 11);
      await seal();
    });
    const sealed = await everything();
    expect(sealed).toEqual(await truth());
  });

  it('are read again after the survey was changed, but for the questions that are other ones now', async () => {
    await seal();
    const id = survey.questionIds['region']!;
    await home.admin
      .put(`/api/surveys/${survey.surveyId}/questions/${id}`, {
        options: [
          { option_label: 'South', option_value: 's' },
          { option_label: 'East', option_value: 'e' },
          { option_label: 'North', option_value: 'n' },
        ],
      })
      .expect(200);
    const sealed = await everything();
    await seal();
    expect(await everything()).toEqual(sealed);
    expect(sealed).toEqual(await truth());
  });
});

describe('segments that cannot be used', () => {
  const damaged = async (sql: string) => {
    await seal();
    const right = await everything();
    await app.database.db.raw(sql, [survey.surveyId]);
    expect(await everything()).toEqual(right);
  };

  it('are dropped when a byte of one is another, and everything is read from the responses', async () => {
    await damaged(
      `UPDATE response_segments SET data = set_byte(data, length(data) / 2, 255 - get_byte(data, length(data) / 2))
       WHERE survey_id = ? AND unit = 'cups'`,
    );
    expect(await segments()).toEqual([]);
  });

  it('are passed over when some are missing', async () => {
    await damaged(`DELETE FROM response_segments WHERE survey_id = ? AND unit = 'cups'`);
    await damaged(`DELETE FROM response_segments WHERE survey_id = ? AND unit = '#ids'`);
  });

  it('are not believed when they were copied from another server', async () => {
    await seal();
    await app.database.db.raw(
      `UPDATE survey_segments SET sealed_xid = (sealed_xid::text::bigint - 1)::text::xid8 WHERE survey_id = ?`,
      [survey.surveyId],
    );
    expect(await segments()).toEqual([]);
  });

  it('are not used once the survey is anonymous, which rounds times to days', async () => {
    await seal();
    const exact = await everything();
    await home.admin
      .put(`/api/surveys/${survey.surveyId}`, { survey_settings: { anonymous: true } })
      .expect(200);
    const days = await everything();
    expect(days).toEqual(await truth());
    expect(days).not.toEqual(exact);
  });
});

describe('which surveys are sealed', () => {
  it('those with enough that is not, once', async () => {
    const { read } = store();
    const due = () => read.responseSegments.due(100, 30, 'sealing');
    expect(await due()).toContain(survey.surveyId);
    await seal();
    expect(await due()).not.toContain(survey.surveyId);
    await seedSome(40, 23);
    expect(await due()).toContain(survey.surveyId);
    await read.jobs.enqueue({
      organizationId: null,
      userId: null,
      surveyId: null,
      kind: 'sealing',
      payload: { survey_id: survey.surveyId },
      requestId: 'test',
    });
    expect(await due()).not.toContain(survey.surveyId);
  });
});
