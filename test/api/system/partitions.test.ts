import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { RESPONSE_TABLES } from '../../../src/db/distribution/response-tables.ts';
import { repartition } from '../../../src/db/distribution/partitions.ts';
import { anonymous, newOrganization, type Organization } from '../../support/actors.ts';
import { appOn, type TestApp, useApp } from '../../support/app.ts';
import { findKnownFanOut } from '../../support/fan-out/known-fan-outs.ts';
import { watched } from '../../support/fan-out/watched-database.ts';
import { choice, text } from '../../support/questions.ts';
import { publishedSurvey, type PublishedSurvey } from '../../support/surveys.ts';

const PARTITIONS = 8;
const test = useApp();
/** The last statement with these values. */
const said = new Map<string, unknown>();
let app: TestApp;
let home: Organization;
let survey: PublishedSurvey;

beforeAll(async () => {
  const db = watched(test.database.db, (sql, bindings) => said.set(sql, bindings));
  app = appOn({ url: test.database.url, db });
  home = await newOrganization(app);
  survey = await publishedSurvey(home.admin, [[choice('Q1'), text('Q2')]]);
  await answer('1', 'before');
  await home.admin.get(`/api/responses/${survey.surveyId}/distribution/Q1`).expect(200);
  await repartition(test.database.db, PARTITIONS);
});

async function answer(value: string, words: string): Promise<number> {
  const { body } = await anonymous(app)
    .post(`/api/public/s/${survey.linkToken}/responses`, { answers: { Q1: value, Q2: words } })
    .expect(201);
  return body.data.response_id as number;
}

const at = (end: string) => `/api/responses/${survey.surveyId}/${end}`;

async function counted(): Promise<number> {
  const { body } = await home.admin.get(at('distribution/Q1')).expect(200);
  const { categories } = body.data as { categories: { count: number }[] };
  return categories.reduce((sum, { count }) => sum + count, 0);
}

it('the server that was running goes on: figures, answers, edits, undo, made-up answers, checks, files', async () => {
  expect(await counted()).toBe(1);
  await answer('2', 'after');
  await answer('1', 'after');
  expect(await counted()).toBe(3);
  const edited = await home.admin
    .post(at('find-replace'), { column_code: 'Q2', find: 'after', replace: 'later' })
    .expect(200);
  expect(edited.body.data.updated).toBe(2);
  await home.admin.post(at(`changes/${edited.body.data.change_id}/undo`), {}).expect(200);
  await home.admin.post(at('seed'), { count: 20, seed: 1 }).expect(201);
  await home.admin.delete(at('seed')).expect(204);
  await home.admin.post(at('quality-check'), { dry_run: true }).expect(200);
  const file = await home.admin.post(at('export'), { format: 'csv' }).expect(200);
  expect(file.text.match(/after/g)).toHaveLength(2);
  expect((await home.admin.get(`/api/surveys/${survey.surveyId}`).expect(200)).body.data.response_count).toBe(
    3,
  );
});

it('a backup has every row once', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-partitions-'));
  try {
    const made = await app.container.services.backups.write(path.join(folder, 'all.zip'));
    const names = made!.tables.map(({ table }) => table);
    expect(names.filter((name) => /_p\d+$/.test(name))).toEqual([]);
    const { rows } = await test.database.db.raw<{ rows: { count: number }[] }>(
      'SELECT count(*) FROM responses',
    );
    expect(made!.tables.find(({ table }) => table === 'responses')!.rows).toBe(rows[0]!.count);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('statements about one survey look into one partition of each table', async () => {
  // A statement that does not name the survey is seen to look everywhere.
  const everywhere = await test.database.db.raw<Explained>(
    'EXPLAIN (ANALYZE, FORMAT JSON) SELECT count(*) FROM responses',
  );
  expect(partitionsIn(everywhere.rows[0]!['QUERY PLAN'][0].Plan)).toHaveLength(PARTITIONS);
  const wide: string[] = [];
  let looked = 0;
  const about = new RegExp(`\\b(?:${RESPONSE_TABLES.join('|')})\\b`);
  for (const [sql, bindings] of said) {
    if (!about.test(sql) || findKnownFanOut(sql) !== null) continue;
    if (/^\s*(?:CREATE|ALTER|LOCK|ANALYZE|DROP)/.test(sql)) continue;
    const trx = await test.database.db.transaction();
    try {
      const { rows } = await trx.raw<Explained>(
        // The written rows already exist.
        `EXPLAIN (${/^\s*INSERT/i.test(sql) ? '' : 'ANALYZE, '}FORMAT JSON) ${sql}`,
        bindings as never,
      );
      const scanned = new Set(partitionsIn(rows[0]!['QUERY PLAN'][0].Plan));
      for (const table of RESPONSE_TABLES) {
        const own = [...scanned].filter((name) => new RegExp(`^${table}_p\\d+$`).test(name));
        if (own.length > 0) looked += 1;
        if (own.length > 1) wide.push(`${own.join(', ')}: ${sql}`);
      }
    } finally {
      await trx.rollback();
    }
  }
  expect(wide).toEqual([]);
  expect(looked).toBeGreaterThan(15);
});

interface Explained {
  rows: { 'QUERY PLAN': [{ Plan: PlanNode }] }[];
}

interface PlanNode {
  'Relation Name'?: string;
  /** null: the plan was not executed. */
  'Actual Loops'?: number;
  Plans?: PlanNode[];
}

/** Tables that were looked into. */
const partitionsIn = (node: PlanNode): string[] => [
  ...((node['Actual Loops'] ?? 1) > 0 && node['Relation Name'] !== undefined ? [node['Relation Name']] : []),
  ...(node.Plans ?? []).flatMap(partitionsIn),
];

it('and made one again, nothing is lost', async () => {
  await repartition(test.database.db, 0);
  await answer('1', 'at last');
  expect(await counted()).toBe(4);
});
