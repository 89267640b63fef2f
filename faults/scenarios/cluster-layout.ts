import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publishSurvey } from '../../test/support/served-surveys.ts';
import { connectDatabase } from '../../src/db/connect.ts';
import { RESPONSE_TABLES } from '../../src/db/distribution/response-tables.ts';

import { CITUS_MISSING, Cluster, hasCitus } from '../../test/support/own-cluster.ts';
import { startLoadGenerator, SURVEY } from '../support/load-generator.ts';
import type { Scenario } from '../support/scenario.ts';
import type { TestBed } from '../support/test-bed.ts';
import { verifyStoredResponses } from '../support/verify-responses.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const SURVEYS = 4;
const CLIENTS = 4;

/** Caches, and columns that are valid on one server only. */
const CACHES = new Set<string>(['response_segments', 'survey_segments']);

/** What a later version might change in tables of responses, one statement for each call. */
const MIGRATION = `
export async function up(db) {
  await db.raw('ALTER TABLE responses ADD COLUMN later integer');
  await db.raw('ALTER TABLE response_comments ADD COLUMN later text NOT NULL DEFAULT \\'none\\'');
  await db.raw('CREATE INDEX responses_later ON responses (survey_id, later) WHERE later IS NOT NULL');
  await db.raw('ALTER TABLE data_changes ADD CONSTRAINT data_changes_later CHECK (rows_changed >= 0)');
  await db.raw('UPDATE responses SET later = 1');
  await db.raw(\`CREATE OR REPLACE FUNCTION set_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.changed_xid := pg_current_xact_id();
      NEW.changed_in := TG_RELID;
      NEW.later := 2;
      RETURN NEW;
    END $$\`);
}
export async function down(db) {
  await db.raw('SELECT 1');
}
`;

/** An installation becomes distributed, is backed up, upgraded, and becomes a plain one again; the rows stay the same. */
export const clusterLayout: Scenario = {
  name: 'cluster-layout',
  promise: 'P1 Distributing, backing up, restoring, upgrading and undistributing keeps every row',
  skipReason: () => (hasCitus() ? null : CITUS_MISSING),
  async run(testBed: TestBed) {
    const servers = await Cluster.start(testBed.folder);
    testBed.atEnd(() => servers.stop());
    const run = new LayoutRun(testBed, servers);
    await run.collect('before distributing');
    await run.distribute(servers.url);
    await run.collectDuringBackup();
    await run.restoreElsewhere();
    await run.upgrade();
    await run.undistribute();
    await run.collect('after undistributing');
    return run.finish();
  },
};

class LayoutRun {
  private readonly breaks: string[] = [];
  private readonly backup: string;
  private acknowledged = 0;

  constructor(
    private readonly testBed: TestBed,
    private readonly servers: Cluster,
  ) {
    this.backup = path.join(testBed.folder, 'cluster.backup');
  }

  /** Answers new surveys; `meanwhile` runs while they are answered. */
  async collect(when: string, meanwhile: () => Promise<unknown> = () => sleep(1_000)): Promise<void> {
    const api = await this.testBed.api({ DATABASE_URL: this.servers.url });
    const db = connectDatabase(this.servers.url, 4);
    try {
      const loads = [];
      for (let count = 0; count < SURVEYS; count += 1) {
        const { surveyId, linkToken } = await publishSurvey(this.testBed, api, SURVEY);
        const { ledger, end } = startLoadGenerator(this.testBed, {
          clients: CLIENTS,
          apis: [api],
          linkToken,
        });
        loads.push({ surveyId, ledger, end });
      }
      await sleep(500);
      await meanwhile();
      for (const { surveyId, ledger, end } of loads) {
        await end();
        this.acknowledged += ledger.acknowledged.size;
        const found = await verifyStoredResponses({ ...this.testBed, db }, surveyId, ledger);
        if (ledger.acknowledged.size === 0) found.push(`survey ${surveyId} was not answered`);
        this.breaks.push(...found.map((text) => `${when}: ${text}`));
      }
    } finally {
      await db.destroy();
      await api.stop(15_000);
    }
  }

  async distribute(databaseUrl: string): Promise<void> {
    const before = await readRows(databaseUrl);
    await this.run(['distribute', '--citus', '--shards', '8', '--dry-run'], databaseUrl);
    await this.run(['distribute', '--citus', '--shards', '8'], databaseUrl);
    this.compare('distributing', before, await readRows(databaseUrl));
    await this.run(['check'], databaseUrl);
  }

  async collectDuringBackup(): Promise<void> {
    await this.collect('while distributed', () => this.run(['backup', this.backup]));
    await this.run(['check']);
  }

  /** On plain PostgreSQL and on another database of the cluster, which is distributed afterwards. */
  async restoreElsewhere(): Promise<void> {
    const plain = await this.testBed.database('empty');
    await this.run(['restore', this.backup], plain);
    await this.run(['check'], plain);
    const second = await this.servers.createDatabase('second');
    await this.run(['restore', this.backup], second);
    await this.distribute(second);
    this.compare('restoring', await readRows(plain), await readRows(second));
    await this.refuse(['restore', this.backup], 'undistribute');
    await this.refuse(['rollback'], 'undistribute');
  }

  /** With a copy of the program that has one more migration; one table is not distributed yet, as a new one would be. */
  async upgrade(): Promise<void> {
    await this.servers.query(`SELECT undistribute_table('link_limits')`);
    const folder = path.join(this.testBed.folder, 'later-version');
    mkdirSync(folder);
    cpSync(path.join(PROJECT, 'dist'), path.join(folder, 'dist'), { recursive: true });
    cpSync(path.join(PROJECT, 'package.json'), path.join(folder, 'package.json'));
    symlinkSync(path.join(PROJECT, 'node_modules'), path.join(folder, 'node_modules'));
    writeFileSync(path.join(folder, 'dist', 'migrations', '9999-later.js'), MIGRATION);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [path.join(folder, 'dist', 'cli.js'), 'migrate'],
      {
        cwd: folder,
        env: { PATH: process.env.PATH, DATABASE_URL: this.servers.url, DATA_DIR: path.join(folder, 'data') },
      },
    );
    if (!stdout.includes('9999-later')) this.breaks.push(`the migration was not applied: ${stdout}`);
    const [counts] = await this.servers.query<{ later: number; rows: number; distributed: number }>(
      `SELECT (SELECT count(*)::int FROM responses WHERE later IS NOT NULL) AS later, (SELECT count(*)::int FROM responses) AS rows,
         (SELECT count(*)::int FROM pg_dist_partition) AS distributed`,
    );
    if (counts!.later !== counts!.rows || counts!.distributed !== RESPONSE_TABLES.length)
      this.breaks.push(`after the migration: ${JSON.stringify(counts)}`);
    // This version goes on with the schema that it knows.
    await this.servers.query(`DELETE FROM knex_migrations WHERE name = '9999-later'`);
  }

  async undistribute(): Promise<void> {
    const before = await readRows(this.servers.url);
    await this.run(['undistribute', '--dry-run']);
    await this.run(['undistribute']);
    this.compare('undistributing', before, await readRows(this.servers.url));
    await this.run(['check']);
  }

  finish(): { done: string; checked: string; breaks: string[] } {
    return {
      done: 'distributed, backed up while answered, restored into a plain database and a cluster, migrated, undistributed',
      checked: `${this.acknowledged} acknowledged are stored once; rows of every table are equal before and after; counts agree with rows`,
      breaks: this.breaks,
    };
  }

  private async run(words: readonly string[], databaseUrl = this.servers.url): Promise<void> {
    const { code, output } = await this.testBed.cli(words, { databaseUrl });
    if (code !== 0) this.breaks.push(`${words.join(' ')}: ${output.slice(0, 1_500)}`);
  }

  private async refuse(words: readonly string[], hint: string): Promise<void> {
    const { code, output } = await this.testBed.cli(words, { databaseUrl: this.servers.url });
    if (code === 0 || !output.includes(hint))
      this.breaks.push(`${words.join(' ')} was not refused: ${output}`);
  }

  private compare(what: string, before: Map<string, string[]>, after: Map<string, string[]>): void {
    for (const [table, rows] of before) {
      const now = after.get(table) ?? [];
      if (rows.length !== now.length || rows.some((row, index) => row !== now[index]))
        this.breaks.push(`${what} changed ${table}: ${rows.length} rows before, ${now.length} after`);
    }
  }
}

/** The rows of every table as text, sorted. */
async function readRows(databaseUrl: string): Promise<Map<string, string[]>> {
  const db = connectDatabase(databaseUrl, 2);
  try {
    const rows = new Map<string, string[]>();
    for (const table of RESPONSE_TABLES) {
      if (CACHES.has(table)) continue;
      const { rows: found } = await db.raw<{ rows: { row: string }[] }>(
        `SELECT (to_jsonb(t) - 'changed_xid' - 'changed_in')::text AS row FROM ${table} t`,
      );
      rows.set(table, found.map(({ row }) => row).sort());
    }
    return rows;
  } finally {
    await db.destroy();
  }
}
