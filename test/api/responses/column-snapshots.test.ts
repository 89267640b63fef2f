import { isDeepStrictEqual } from 'node:util';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Store } from '../../../src/repositories/store.ts';
import { DatasetService } from '../../../src/services/datasets/datasets.ts';
import { ColumnSnapshotService, SNAPSHOT_JOB } from '../../../src/services/datasets/column-snapshots.ts';
import { randomNumbers } from '../../../src/lib/seeded-random.ts';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { createFullSurvey } from '../../support/all-features-survey.ts';
import { exportResponses, withFile } from '../../support/file-transfer.ts';
import { choice } from '../../support/questions.ts';
import { readSav } from '../../support/sav-reader.ts';
import { publishedSurvey, type PublishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
/** Small ranges, so that a few hundred responses fill several. */
const RANGE_SIZE = 64;
const MIN_RESPONSES = 10;

let survey: PublishedSurvey;
const store = () => new Store(app.database.db);
const buildSnapshot = (from = store()) =>
  new ColumnSnapshotService(from).build({
    surveyId: survey.surveyId,
    signal: new AbortController().signal,
    rangeRows: RANGE_SIZE,
    leastRows: MIN_RESPONSES,
  });

/** Reads every cell of every response with a new dataset service, in several loads as figures do. */
async function readAllCells(): Promise<[responseId: number, cells: Record<string, unknown>][]> {
  const datasets = new DatasetService(store(), 1e9);
  const rows = new Map<number, Record<string, unknown>>();
  const { catalog } = await datasets.open(survey.surveyId, () => []);
  for (const part of [0, 1, 2]) {
    const codes = catalog.loadCodes.filter((_, index) => index % 3 === part);
    const { dataset } = await datasets.open(survey.surveyId, () => codes);
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

/** `toEqual` compares ten times slower, and is needed only for the message. */
function expectSameCells(cells: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(cells, expected)) expect(cells).toEqual(expected);
}

const readStoredCells = async () => {
  await store().read.responseSegments.deleteSnapshot(survey.surveyId);
  return readAllCells();
};
const listSegments = async () =>
  (await store().read.responseSegments.findSnapshot(survey.surveyId))?.ranges ?? [];

/** Changes rows without changing their transaction id, so only readers of the table see the change. */
async function changeWithoutTrigger(): Promise<void> {
  await app.database.db.transaction(async (trx) => {
    await trx.raw('ALTER TABLE responses DISABLE TRIGGER USER');
    await trx.raw(`UPDATE responses SET answers = answers - 'drink', language = 'xx' WHERE survey_id = ?`, [
      survey.surveyId,
    ]);
    await trx.raw('ALTER TABLE responses ENABLE TRIGGER USER');
  });
}

const CORRUPT_SEGMENTS = `UPDATE response_segments SET data = set_byte(data, length(data) / 2, 255 - get_byte(data, length(data) / 2))
  WHERE survey_id = ? AND unit = 'cups'`;

async function seedResponses(count: number, seed: number): Promise<void> {
  await organization.admin.post(`/api/responses/${survey.surveyId}/seed`, { count, seed }).expect(201);
}

beforeAll(async () => {
  survey = await createFullSurvey(organization.admin);
  await seedResponses(300, 1);
});
beforeEach(() => store().read.responseSegments.deleteSnapshot(survey.surveyId));

describe('columns of a snapshot', () => {
  it('equal the stored responses, cell by cell', async () => {
    const ranges = await buildSnapshot();
    expect(ranges.map(({ rows }) => rows)).toEqual([64, 64, 64, 64, 47]);
    const fromSnapshot = await readAllCells();
    expect(await listSegments()).toHaveLength(5);
    expectSameCells(fromSnapshot, await readStoredCells());
  });

  it('are read instead of the responses', async () => {
    await buildSnapshot();
    const before = await readAllCells();
    await changeWithoutTrigger();
    expectSameCells(await readAllCells(), before);
    expect(await readStoredCells()).not.toEqual(before);
  });

  it('equal the stored responses after changes, and only changed ranges are rebuilt', async () => {
    const random = randomNumbers(7);
    for (let round = 0; round < 4; round += 1) {
      const before = await buildSnapshot();
      const { rows } = await app.database.db.raw<{ rows: { response_id: number }[] }>(
        'SELECT response_id FROM responses WHERE survey_id = ? AND deleted_at IS NULL ORDER BY md5(response_id || ?)',
        [survey.surveyId, `round ${round}`],
      );
      const [edited, deleted] = rows.map((row) => row.response_id);
      await organization.admin
        .patch(`/api/responses/${survey.surveyId}/rows/${edited}`, {
          values: { cups: Math.floor(random() * 20), why: 'changed' },
        })
        .expect(200);
      await app.database.db.raw('UPDATE responses SET deleted_at = now() WHERE response_id = ?', [deleted!]);
      if (round % 2 === 0) await seedResponses(20, round + 2);
      const changed = await readAllCells();
      const after = await buildSnapshot();
      const unchangedRanges = after.filter(({ segment_id: id }) =>
        before.some((range) => range.segment_id === id),
      );
      expect(unchangedRanges.length).toBeGreaterThan(0);
      expect(unchangedRanges.length).toBeLessThan(after.length);
      expectSameCells(await readAllCells(), changed);
      expectSameCells(changed, await readStoredCells());
    }
  });

  it('include a response that commits after later ones', async () => {
    await app.database.db.transaction(async (olderTransaction) => {
      await olderTransaction.raw(
        `INSERT INTO responses (survey_id, link_id, survey_version, response_status, response_token, answers, started_at)
         SELECT survey_id, link_id, survey_version, response_status, 'late token', answers, started_at FROM responses
         WHERE survey_id = ? LIMIT 1`,
        [survey.surveyId],
      );
      await seedResponses(80, 11);
      await buildSnapshot();
    });
    const fromSnapshot = await readAllCells();
    expectSameCells(fromSnapshot, await readStoredCells());
  });

  it('are still read after a change of the survey, except for changed questions', async () => {
    await buildSnapshot();
    const id = survey.questionIds['region']!;
    await organization.admin
      .put(`/api/surveys/${survey.surveyId}/questions/${id}`, {
        options: [
          { option_label: 'South', option_value: 's' },
          { option_label: 'East', option_value: 'e' },
          { option_label: 'North', option_value: 'n' },
        ],
      })
      .expect(200);
    const fromSnapshot = await readAllCells();
    await buildSnapshot();
    expectSameCells(await readAllCells(), fromSnapshot);
    expectSameCells(fromSnapshot, await readStoredCells());
  });
});

describe('files of responses', () => {
  const all = { status: ['complete', 'partial', 'screened_out'], include_test: true, include_deleted: true };
  const readCsv = async (body: object = { values: 'both', multiple: 'both' }) =>
    (await exportResponses(organization.admin, survey.surveyId, { ...all, ...body })).file.toString();
  const readRows = async (): Promise<Record<string, unknown>[]> => {
    const { file } = await exportResponses(organization.admin, survey.surveyId, { ...all, format: 'spss' });
    const { rows, variables } = readSav(file);
    return rows.map((cells) =>
      Object.fromEntries(cells.map((cell, index) => [variables[index]!.name, cell])),
    );
  };
  const readFiles = async () => ({ csv: (await readCsv()).split('\r\n'), spss: await readRows() });
  const expectSameFilesWithoutSnapshot = async () => {
    const files = await readFiles();
    expect(await listSegments()).not.toEqual([]);
    await store().read.responseSegments.deleteSnapshot(survey.surveyId);
    expect(files).toEqual(await readFiles());
  };

  it('are read from the snapshot where it has the cells exactly, and from the responses otherwise', async () => {
    await seedResponses(80, 31);
    await buildSnapshot();
    const before = await readRows();
    await changeWithoutTrigger();
    const after = await readRows();
    expect(after.map(({ drink }) => drink)).toEqual(before.map(({ drink }) => drink));
    expect(new Set(after.map(({ language }) => language))).toEqual(new Set(['xx']));
  });

  it('are the same after changes, deletions and new responses', async () => {
    await buildSnapshot();
    const [first, second] = await readAllCells();
    await app.database.db.raw('UPDATE responses SET deleted_at = now() WHERE response_id = ?', [first![0]]);
    await app.database.db.raw(
      `UPDATE responses SET answers = answers || '{"cups": 7, "why": "changed", "region": null}' WHERE response_id = ?`,
      [second![0]],
    );
    await seedResponses(20, 32);
    await expectSameFilesWithoutSnapshot();
  });

  it('are the same with answers that columns cannot store', async () => {
    const [first, second] = await readAllCells();
    const store = (id: number) =>
      app.database.db.raw(
        `UPDATE responses SET answers = answers || '{"region": "gone", "places": ["gone"], "why": ""}' WHERE response_id = ?`,
        [id],
      );
    await store(first![0]);
    await buildSnapshot();
    await expectSameFilesWithoutSnapshot();
    await buildSnapshot();
    await store(second![0]);
    await expectSameFilesWithoutSnapshot();
    expect(await readCsv({ columns: ['region'] })).toContain('gone');
  });

  it('are the same of a selection of few responses', async () => {
    await buildSnapshot();
    const [first] = await readAllCells();
    const filter = `response_id >= ${first![0] + 60}`;
    const fromSnapshot = await readCsv({ filter });
    await store().read.responseSegments.deleteSnapshot(survey.surveyId);
    expect(fromSnapshot).toBe(await readCsv({ filter }));
  });

  it('are read from the responses if a segment is corrupt', async () => {
    const before = await readFiles();
    await buildSnapshot();
    await app.database.db.raw(CORRUPT_SEGMENTS, [survey.surveyId]);
    expect(await readFiles()).toEqual(before);
    expect(await listSegments()).toEqual([]);
  });
});

describe('segments that cannot be used', () => {
  const expectUnchangedAfter = async (sql: string) => {
    await buildSnapshot();
    const expected = await readAllCells();
    await app.database.db.raw(sql, [survey.surveyId]);
    expectSameCells(await readAllCells(), expected);
  };

  it('are deleted if one is corrupt, and the responses are read instead', async () => {
    await expectUnchangedAfter(CORRUPT_SEGMENTS);
    expect(await listSegments()).toEqual([]);
  });

  it('are ignored when some are missing', async () => {
    await expectUnchangedAfter(`DELETE FROM response_segments WHERE survey_id = ? AND unit = 'cups'`);
    await expectUnchangedAfter(`DELETE FROM response_segments WHERE survey_id = ? AND unit = '#ids'`);
  });

  it('are ignored when they were copied from another server', async () => {
    await buildSnapshot();
    await app.database.db.raw(`UPDATE survey_segments SET source = 'elsewhere' WHERE survey_id = ?`, [
      survey.surveyId,
    ]);
    await changeWithoutTrigger();
    expectSameCells(await readAllCells(), await readStoredCells());
  });

  it('are not stored if a response was erased after it was read for them', async () => {
    const erasing = store();
    const storeRanges = erasing.transaction.bind(erasing);
    erasing.transaction = async (work) => {
      const [erasedId] = (await readAllCells())[0]!;
      await organization.admin.post(`/api/responses/${survey.surveyId}/rows/${erasedId}/erase`).expect(200);
      return storeRanges(work);
    };
    expect(await buildSnapshot(erasing)).toEqual([]);
    expect(await listSegments()).toEqual([]);
    expect(await buildSnapshot()).not.toEqual([]);
  });

  it('are not used once the survey is anonymous, which rounds times to days', async () => {
    await buildSnapshot();
    const exact = await readAllCells();
    await organization.admin
      .put(`/api/surveys/${survey.surveyId}`, { survey_settings: { anonymous: true } })
      .expect(200);
    const days = await readAllCells();
    expectSameCells(days, await readStoredCells());
    expect(days).not.toEqual(exact);
  });
});

describe('surveys that need a snapshot', () => {
  it('are listed once, when enough responses are outside the snapshot', async () => {
    const { read } = store();
    // Counters of responses leave out test responses.
    const makeReal = () =>
      app.database.db('responses').where({ survey_id: survey.surveyId }).update({ is_test: false });
    await makeReal();
    const listDue = () =>
      read.responseSegments.listDue({
        surveyId: null,
        leastRows: 100,
        leastChanged: () => 30,
        jobKind: SNAPSHOT_JOB,
      });
    expect(await listDue()).toContain(survey.surveyId);
    await buildSnapshot();
    expect(await listDue()).not.toContain(survey.surveyId);
    await seedResponses(40, 23);
    expect(await listDue()).toContain(survey.surveyId);
    await read.jobs.enqueue({
      organizationId: null,
      userId: null,
      surveyId: null,
      kind: SNAPSHOT_JOB,
      payload: { survey_id: survey.surveyId },
      requestId: 'test',
    });
    expect(await listDue()).not.toContain(survey.surveyId);
  });
});

it('are stored at once after an import of 2,000 responses, and not after one of fewer', async () => {
  const { admin } = organization;
  for (const [rows, isStored] of [
    [1_999, false],
    [2_000, true],
  ] as const) {
    const { surveyId } = await publishedSurvey(admin, [[choice('Q1')]]);
    const csv = `Q1\n${Array.from({ length: rows }, (_, index) => 1 + (index % 2)).join('\n')}\n`;
    await withFile(admin.post(`/api/responses/${surveyId}/import`), csv, {}, 'rows.csv').expect(201);
    const jobs = await app.database
      .db('jobs')
      .where({ kind: SNAPSHOT_JOB })
      .whereRaw(`(payload ->> 'survey_id')::bigint = ?`, [surveyId]);
    expect(jobs).toHaveLength(isStored ? 1 : 0);
    if (!isStored) continue;
    const ranges = await new ColumnSnapshotService(store()).build({
      surveyId,
      signal: new AbortController().signal,
    });
    expect(ranges.map((range) => range.rows)).toEqual([rows]);
  }
});
