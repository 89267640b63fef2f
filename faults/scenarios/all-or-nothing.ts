import { setTimeout as sleep } from 'node:timers/promises';
import { call, fillSurvey, publishSurvey } from '../../test/support/served-surveys.ts';
import type { ApiProcess } from '../support/api-process.ts';
import { SURVEY } from '../support/load-generator.ts';
import type { Scenario } from '../support/scenario.ts';
import { waitUntilServing } from '../support/wait-until-serving.ts';
import type { TestBed } from '../support/test-bed.ts';

const PATIENCE_MS = 60_000;

/** Something that changes many rows at once. */
interface Operation {
  name: string;
  path: string;
  body: (round: number) => object | FormData;
  /** SQL: is a row of `responses` as the operation leaves it? */
  isDone: string;
}

const operationsOn = (rows: number): Operation[] => [
  {
    name: 'find-replace',
    path: 'find-replace',
    body: () => ({ column_code: 'Q1', find: 'row', replace: 'line' }),
    isDone: `answers ->> 'Q1' LIKE 'line %'`,
  },
  {
    name: 'transform (overwrite)',
    path: 'transform/text',
    body: () => ({ column_code: 'Q1', operations: ['uppercase'], overwrite: true }),
    isDone: `answers ->> 'Q1' LIKE 'ROW %'`,
  },
  {
    name: 'bulk',
    path: 'bulk',
    body: () => ({ action: 'set_status', status: 'screened_out', filter: { response_status: ['complete'] } }),
    isDone: `response_status = 'screened_out'`,
  },
  {
    name: 'import',
    path: 'import',
    body(round) {
      const lines = Array.from({ length: rows }, (_, row) => `new-${round}-${row},sent ${row}`);
      const form = new FormData();
      form.append('file', new Blob([`submission_id,Q1\r\n${lines.join('\r\n')}\r\n`]), 'rows.csv');
      return form;
    },
    isDone: `answers ->> 'Q1' LIKE 'sent %' AND deleted_at IS NULL`,
  },
];

/** P11: a process is killed at a random point of an operation on many rows. */
export const allOrNothing: Scenario = {
  name: 'all-or-nothing',
  promise: 'P11 A failed multi-row operation changes nothing',
  async run(testBed: TestBed) {
    const { isShort } = testBed;
    const [rows, rounds] = isShort ? [2_000, 1] : [20_000, 4];
    const api = await testBed.api();
    const { surveyId } = await publishSurvey(testBed, api, SURVEY);
    await fillSurvey(testBed, surveyId, rows, `jsonb_build_object('Q1', 'row ' || n)`);
    const field = new Field(testBed, api, surveyId, rows);
    const before = await field.sum();
    let round = 0;
    // One that edits and one that adds, in the short form.
    const operations = operationsOn(rows).filter(({ name }) => !isShort || /find|import/.test(name));
    for (const operation of operations) {
      const durationMs = await field.whole(operation, (round += 1), before);
      for (let count = 0; count < rounds; count += 1)
        await field.killed(operation, (round += 1), durationMs, before);
    }
    await field.restored(before);
    const { nothing, all, breaks } = field;
    return {
      done: `${operations.map(({ name }) => name).join(', ')} of ${rows} rows, each killed ${rounds} times at a random point (the API process${testBed.postgres === null ? '' : ', PostgreSQL by turns'}); restore-originals killed after several edits`,
      checked: `${nothing} times no row, ${all} times every row was changed, and the change log agrees; undo, and restore-originals, give the exact originals`,
      breaks,
    };
  },
};

/** Operations on many rows. */
class Field {
  readonly breaks: string[] = [];
  nothing = 0;
  all = 0;
  private readonly testBed: TestBed;
  private readonly api: ApiProcess;
  private readonly surveyId: number;
  private readonly rows: number;

  constructor(testBed: TestBed, api: ApiProcess, surveyId: number, rows: number) {
    this.testBed = testBed;
    this.api = api;
    this.surveyId = surveyId;
    this.rows = rows;
  }

  /** Everything that a respondent gave, and what counts. */
  async sum(): Promise<string> {
    const { rows } = await this.testBed.db.raw<{ rows: { sum: string }[] }>(
      `SELECT md5(string_agg(concat_ws('|', response_id, answers, response_status, started_at, completed_at), ';' ORDER BY response_id)) AS sum
       FROM responses WHERE survey_id = ? AND deleted_at IS NULL`,
      [this.surveyId],
    );
    return rows[0]!.sum;
  }

  /** Done without a fault, and undone; gives the milliseconds that it took. */
  async whole(operation: Operation, round: number, before: string): Promise<number> {
    const began = performance.now();
    const status = await this.send(operation, round);
    const durationMs = performance.now() - began;
    const found = await this.changed(operation);
    if (found.rows !== this.rows) this.breaks.push(`${operation.name}: ${status}, ${JSON.stringify(found)}`);
    await this.undo(operation, before);
    return durationMs;
  }

  async killed(operation: Operation, round: number, durationMs: number, before: string): Promise<void> {
    const { random, postgres } = this.testBed;
    const sent = this.send(operation, round);
    // Kills sometimes after the end: acknowledged changes must be stored.
    await sleep(random() * 1.3 * durationMs);
    if (postgres !== null && round % 2 === 0) await postgres.kill();
    else {
      await this.api.kill();
      await this.api.restart();
    }
    const status = await sent;
    await waitUntilServing(this.api, PATIENCE_MS);
    const found = await this.changed(operation);
    const isAcknowledged = status === 200 || status === 201;
    if (found.rows === 0 && found.logged === 0 && !isAcknowledged) this.nothing += 1;
    else if (found.rows === this.rows && found.logged === 1) this.all += 1;
    else
      this.breaks.push(
        `${operation.name}, round ${round}: ${status}, of ${this.rows} rows ${JSON.stringify(found)}`,
      );
    if (found.logged > 0) await this.undo(operation, before);
    else if ((await this.sum()) !== before)
      this.breaks.push(`${operation.name}, round ${round}: other rows changed`);
  }

  /** Edits on top of each other, then everything as it was given, in spite of a kill. */
  async restored(before: string): Promise<void> {
    const [replace, transform] = operationsOn(this.rows);
    await this.send(replace!, 0);
    await this.send({ ...transform!, isDone: '' }, 0);
    const edited = await this.sum();
    const restore: Operation = {
      name: 'restore-originals',
      path: 'restore-originals',
      body: () => ({}),
      isDone: '',
    };
    const sent = this.send(restore, 0);
    await sleep(this.testBed.random() * 300);
    await this.api.kill();
    await this.api.restart();
    await sent;
    const half = await this.sum();
    if (half !== edited && half !== before) this.breaks.push('restore-originals, killed, restored a part');
    const status = await this.send(restore, 0);
    if ((await this.sum()) !== before)
      this.breaks.push(`restore-originals (${status}) did not bring the originals back`);
  }

  private async undo({ name }: Operation, before: string): Promise<void> {
    const path = `/api/responses/${this.surveyId}/changes`;
    const { data } = (await call(this.testBed, this.api, 'GET', `${path}?limit=1`)) as {
      data: { change_id: number }[];
    };
    await call(this.testBed, this.api, 'POST', `${path}/${data[0]!.change_id}/undo`, {});
    if ((await this.sum()) !== before) this.breaks.push(`${name}: undone, the rows are not as before`);
  }

  /** The rows after the operation, and the changes in the log that were not undone. */
  private async changed({ isDone }: Operation): Promise<{ rows: number; logged: number }> {
    const { rows } = await this.testBed.db.raw<{ rows: { rows: number; logged: number }[] }>(
      `SELECT (SELECT count(*) FROM responses WHERE survey_id = ? AND ${isDone}) AS rows,
         (SELECT count(*) FROM data_changes WHERE survey_id = ? AND undone_at IS NULL) AS logged`,
      [this.surveyId, this.surveyId],
    );
    return rows[0]!;
  }

  /** The status; null: no reply. */
  private async send({ path, body }: Operation, round: number): Promise<number | null> {
    const content = body(round);
    const isForm = content instanceof FormData;
    try {
      const reply = await fetch(`${this.api.url}/api/responses/${this.surveyId}/${path}`, {
        method: 'POST',
        headers: {
          'X-API-Key': this.testBed.apiKey,
          ...(isForm ? {} : { 'Content-Type': 'application/json' }),
        },
        body: isForm ? content : JSON.stringify(content),
      });
      await reply.text();
      return reply.status;
    } catch {
      return null;
    }
  }
}
