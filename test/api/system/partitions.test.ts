import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { RESPONSE_TABLES } from '../../../src/db/distribution/response-tables.ts';
import { repartitionResponses } from '../../../src/db/distribution/partitions.ts';
import { anonymous, newOrganization, type Organization } from '../../support/actors.ts';
import { appOn, type TestApp, useApp } from '../../support/app.ts';
import { isKnownViolation } from '../../support/fan-out/known-violations.ts';
import { watchStatements } from '../../support/fan-out/watch-statements.ts';
import { choice, text } from '../../support/questions.ts';
import { publishedSurvey, type PublishedSurvey } from '../../support/surveys.ts';

const PARTITIONS = 8;
const test = useApp();
/** Every statement of the application, with the values of its last execution. */
const statements = new Map<string, unknown>();
let app: TestApp;
let organization: Organization;
let survey: PublishedSurvey;
let workload: Awaited<ReturnType<typeof runWorkload>>;

beforeAll(async () => {
  const db = watchStatements(test.database.db, (sql, bindings) => statements.set(sql, bindings));
  app = appOn({ url: test.database.url, db });
  organization = await newOrganization(app);
  survey = await publishedSurvey(organization.admin, [[choice('Q1'), text('Q2')]]);
  await submitResponse('1', 'before');
  await countAnswers();
  await repartitionResponses(test.database.db, PARTITIONS);
  workload = await runWorkload();
});

async function submitResponse(choiceValue: string, comment: string): Promise<number> {
  const { body } = await anonymous(app)
    .post(`/api/public/s/${survey.linkToken}/responses`, { answers: { Q1: choiceValue, Q2: comment } })
    .expect(201);
  return body.data.response_id as number;
}

const at = (end: string) => `/api/responses/${survey.surveyId}/${end}`;

async function countAnswers(): Promise<number> {
  const { body } = await organization.admin.get(at('distribution/Q1')).expect(200);
  const { categories } = body.data as { categories: { count: number }[] };
  return categories.reduce((sum, { count }) => sum + count, 0);
}

/** Uses figures, submissions, edits, undo, seeding, checks and exports of the running application. */
async function runWorkload() {
  const initialCount = await countAnswers();
  await submitResponse('2', 'after');
  await submitResponse('1', 'after');
  const count = await countAnswers();
  const edited = await organization.admin
    .post(at('find-replace'), { column_code: 'Q2', find: 'after', replace: 'later' })
    .expect(200);
  await organization.admin.post(at(`changes/${edited.body.data.change_id}/undo`), {}).expect(200);
  await organization.admin.post(at('seed'), { count: 20, seed: 1 }).expect(201);
  await organization.admin.delete(at('seed')).expect(204);
  await organization.admin.post(at('quality-check'), { dry_run: true }).expect(200);
  const file = await organization.admin.post(at('export'), { format: 'csv' }).expect(200);
  const { body } = await organization.admin.get(`/api/surveys/${survey.surveyId}`).expect(200);
  return {
    initialCount,
    count,
    edited: edited.body.data.updated as number,
    exported: file.text.match(/after/g)?.length,
    responseCount: body.data.response_count as number,
  };
}

it('a running application continues after partitioning: figures, submissions, edits, seeding, exports', () => {
  expect(workload).toEqual({ initialCount: 1, count: 3, edited: 2, exported: 2, responseCount: 3 });
});

it('a backup contains every row once', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-partitions-'));
  try {
    const manifest = await app.container.services.backups.write(path.join(folder, 'all.zip'));
    const names = manifest!.tables.map(({ table }) => table);
    expect(names.filter((name) => /_p\d+$/.test(name))).toEqual([]);
    const { rows } = await test.database.db.raw<{ rows: { count: number }[] }>(
      'SELECT count(*) FROM responses',
    );
    expect(manifest!.tables.find(({ table }) => table === 'responses')!.rows).toBe(rows[0]!.count);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('statements about one survey scan one partition of each table', async () => {
  // Control: a statement without a survey id scans all partitions.
  const unrestricted = await test.database.db.raw<Explained>(
    'EXPLAIN (ANALYZE, FORMAT JSON) SELECT count(*) FROM responses',
  );
  expect(listScannedTables(unrestricted.rows[0]!['QUERY PLAN'][0].Plan)).toHaveLength(PARTITIONS);
  const wideScans: string[] = [];
  let scans = 0;
  const mentionsTable = new RegExp(`\\b(?:${RESPONSE_TABLES.join('|')})\\b`);
  for (const [sql, bindings] of statements) {
    if (!mentionsTable.test(sql) || isKnownViolation(sql, 'reads all surveys')) continue;
    if (/^\s*(?:CREATE|ALTER|LOCK|ANALYZE|DROP)/i.test(sql)) continue;
    const trx = await test.database.db.transaction();
    try {
      const { rows } = await trx.raw<Explained>(
        // An INSERT is only planned: its rows already exist.
        `EXPLAIN (${/^\s*INSERT/i.test(sql) ? '' : 'ANALYZE, '}FORMAT JSON) ${sql}`,
        bindings as never,
      );
      const scanned = new Set(listScannedTables(rows[0]!['QUERY PLAN'][0].Plan));
      for (const table of RESPONSE_TABLES) {
        const partitions = [...scanned].filter((name) => new RegExp(`^${table}_p\\d+$`).test(name));
        if (partitions.length > 0) scans += 1;
        if (partitions.length > 1) wideScans.push(`${partitions.join(', ')}: ${sql}`);
      }
    } finally {
      await trx.rollback();
    }
  }
  expect(wideScans).toEqual([]);
  expect(scans).toBeGreaterThan(15);
});

interface Explained {
  rows: { 'QUERY PLAN': [{ Plan: PlanNode }] }[];
}

interface PlanNode {
  'Relation Name'?: string;
  /** Absent if the statement was only planned. */
  'Actual Loops'?: number;
  Plans?: PlanNode[];
}

/** Returns the tables scanned by a plan, without nodes that were never executed. */
const listScannedTables = (node: PlanNode): string[] => [
  ...((node['Actual Loops'] ?? 1) > 0 && node['Relation Name'] !== undefined ? [node['Relation Name']] : []),
  ...(node.Plans ?? []).flatMap(listScannedTables),
];

it('no responses are lost when the partitions are merged', async () => {
  const before = await countAnswers();
  await repartitionResponses(test.database.db, 0);
  try {
    await submitResponse('1', 'merged');
    expect(await countAnswers()).toBe(before + 1);
  } finally {
    await repartitionResponses(test.database.db, PARTITIONS);
  }
});
