import { setTimeout as sleep } from 'node:timers/promises';
import yauzl from 'yauzl';
import { fillSurvey, publishSurvey } from '../../test/support/served-surveys.ts';
import type { ApiProcess } from '../support/api-process.ts';
import { formatEvidence, type Scenario } from '../support/scenario.ts';
import type { TestBed } from '../support/test-bed.ts';

const SURVEY = {
  format: 'canvass.survey',
  version: 1,
  survey: {
    survey_name: 'Derived columns change',
    pages: [{ questions: [{ question_type: 'number', question_code: 'Q1', question_text: 'How many?' }] }],
  },
};

/** The column that is created, changed and deleted. `TWICE` stays, and is read by a changing column at times. */
const CHANGING = 'CHANGING';
const MIN_CHANGES = 3;
/** Replies to a request that names the changing column while it does not exist, or has another type. */
const MISSING_COLUMN = new Set([400, 404, 409, 422]);

interface Reader {
  name: string;
  /** Reads once. Returns the problem of the reply, or null. */
  read: () => Promise<string | null>;
}

/** A reader keeps the definitions of derived columns with which it began. */
export const derivedColumnsChange: Scenario = {
  name: 'derived-columns-change',
  promise: 'A changed or deleted derived column breaks no grid, export, job or figure of another client',
  async run(testBed: TestBed) {
    const [rows, seconds] = testBed.isShort ? [2_000, 3] : [30_000, 120];
    const api = await testBed.api();
    const { surveyId } = await publishSurvey(testBed, api, SURVEY);
    await fillSurvey(testBed, surveyId, rows, `jsonb_build_object('Q1', n % 10)`);
    const client = new Client(testBed, api, surveyId);
    await client.send('POST', 'computed-columns', { column_code: 'TWICE', expression: 'Q1 * 2' });
    let isOver = false;
    const counts = { changes: 0, edits: 0, reads: 0 };
    const breaks: string[] = [];
    const author = async () => {
      for (; !isOver; counts.changes += 1) breaks.push(...(await client.changeColumn(counts.changes)));
    };
    const editor = async () => {
      for (let round = 0; !isOver; round += 1) {
        // Rows that change while they are read are chosen a second time; those that change all the time are refused.
        await testBed.db.raw(
          `UPDATE responses SET answers = jsonb_build_object('Q1', ?::integer), updated_at = now()
           WHERE survey_id = ? AND response_id % 500 = ?`,
          [round % 10, surveyId, round % 500],
        );
        counts.edits += 1;
        await sleep(1_000);
      }
    };
    const reader = async ({ name, read }: Reader) => {
      for (; !isOver; counts.reads += 1) {
        const wrong = await read().catch((error: unknown) => String((error as Error).cause ?? error));
        if (wrong !== null) breaks.push(`${name}: ${wrong}`);
      }
    };
    const all = Promise.all([author(), editor(), ...client.readers(rows).map(reader)]);
    const [least, most] = [seconds * 1_000, seconds * 10_000];
    for (let waited = 0; waited < least || (counts.changes < MIN_CHANGES && waited < most); waited += 100)
      await sleep(100);
    isOver = true;
    await all;
    return {
      done: `one client created, changed and deleted derived columns (${counts.changes} times) of a survey of ${rows} responses, another edited responses (${counts.edits} times), others read grids, exports, jobs and figures (${counts.reads} times)`,
      checked: 'no reply was 500, every file was whole',
      breaks: [
        ...formatEvidence('broken', breaks),
        ...(counts.changes < MIN_CHANGES ? ['too few changes'] : []),
      ],
    };
  },
};

class Client {
  private readonly testBed: TestBed;
  private readonly api: ApiProcess;
  private readonly surveyId: number;

  constructor(testBed: TestBed, api: ApiProcess, surveyId: number) {
    this.testBed = testBed;
    this.api = api;
    this.surveyId = surveyId;
  }

  send(method: string, path: string, body?: object, prefer = 'wait'): Promise<Response> {
    return fetch(`${this.api.url}/api/responses/${this.surveyId}/${path}`, {
      method,
      headers: { 'X-API-Key': this.testBed.apiKey, 'Content-Type': 'application/json', Prefer: prefer },
      body: body === undefined ? null : JSON.stringify(body),
    });
  }

  async changeColumn(round: number): Promise<string[]> {
    const source = round % 2 === 0 ? 'Q1' : 'TWICE';
    const steps: [string, string, object?][] = [
      ['POST', 'computed-columns', { column_code: CHANGING, expression: `${source} + 1`, type: 'number' }],
      ['PATCH', `derived-columns/${CHANGING}`, { expression: `concat(${source}, "x")`, type: 'text' }],
      ['POST', 'computed-columns', { column_code: 'OF_CHANGING', expression: `len(${CHANGING})` }],
      ['DELETE', 'derived-columns/OF_CHANGING'],
      ['DELETE', `derived-columns/${CHANGING}`],
    ];
    const wrong: string[] = [];
    for (const [method, path, body] of steps) {
      const reply = await this.send(method, path, body);
      const text = await reply.text();
      if (!reply.ok) wrong.push(`${method} ${path}: ${reply.status} ${text.slice(0, 300)}`);
    }
    return wrong;
  }

  readers(rows: number): Reader[] {
    const crossing = { rows: ['Q1'], columns: ['TWICE'] };
    return [
      { name: 'grid', read: () => this.grid('grid', rows) },
      { name: 'grid of the changing column', read: () => this.grid(`grid?columns=Q1,${CHANGING}`, rows) },
      { name: 'CSV', read: () => this.file({ format: 'csv' }, (file) => brokenCsv(file, rows)) },
      {
        name: 'CSV, filtered',
        read: () => this.file({ format: 'csv', filters: { [CHANGING]: ['2', '2x', '3x'] } }, brokenLines),
      },
      { name: 'XLSX', read: () => this.file({ format: 'xlsx' }, brokenZip) },
      { name: 'SPSS', read: () => this.file({ format: 'spss' }, brokenSav) },
      { name: 'job', read: () => this.job((file) => brokenCsv(file, rows)) },
      { name: 'crosstab', read: () => this.json('POST', 'crosstab', crossing) },
      {
        name: 'crosstab of the changing column',
        read: () => this.json('POST', 'crosstab', { rows: ['Q1'], columns: [CHANGING] }),
      },
      { name: 'distribution', read: () => this.json('GET', `distribution/${CHANGING}`) },
    ];
  }

  private async json(method: string, path: string, body?: object): Promise<string | null> {
    const reply = await this.send(method, path, body);
    const text = await reply.text();
    if (MISSING_COLUMN.has(reply.status)) return null;
    return reply.ok ? null : `${reply.status} ${text.slice(0, 300)}`;
  }

  private async grid(path: string, rows: number): Promise<string | null> {
    const reply = await this.send('GET', path);
    const text = await reply.text();
    if (MISSING_COLUMN.has(reply.status)) return null;
    if (!reply.ok) return `${reply.status} ${text.slice(0, 300)}`;
    const { data } = JSON.parse(text) as {
      data: { columns: { column_code: string; source: string }[]; rows: { values: object }[] };
    };
    if (data.rows.length !== rows) return `${data.rows.length} rows`;
    const codes = data.columns.filter(({ source }) => source !== 'metadata').map((one) => one.column_code);
    const odd = data.rows.find(({ values }) => Object.keys(values).sort().join() !== codes.sort().join());
    return odd === undefined ? null : `columns ${codes.join()}, row ${JSON.stringify(odd)}`;
  }

  private async file(
    request: object,
    broken: (file: Buffer) => Promise<string | null> | string | null,
  ): Promise<string | null> {
    const reply = await this.send('POST', 'export', request);
    const file = Buffer.from(await reply.arrayBuffer());
    if (MISSING_COLUMN.has(reply.status)) return null;
    return reply.ok ? broken(file) : `${reply.status} ${file.toString('utf8').slice(0, 300)}`;
  }

  private async job(broken: (file: Buffer) => string | null): Promise<string | null> {
    const reply = await this.send('POST', 'export', { format: 'csv' }, 'respond-async');
    if (reply.status !== 202) return `${reply.status} ${await reply.text()}`;
    const { data } = (await reply.json()) as { data: { status_url: string } };
    const headers = { 'X-API-Key': this.testBed.apiKey };
    const ask = async (url: string) => fetch(new URL(new URL(url).pathname, this.api.url), { headers });
    for (;;) {
      const { data: job } = (await (await ask(data.status_url)).json()) as {
        data: { status: string; error?: unknown; result: { download_url: string } | null };
      };
      if (job.result !== null)
        return broken(Buffer.from(await (await ask(job.result.download_url)).arrayBuffer()));
      if (job.status === 'failed') return `failed: ${JSON.stringify(job.error)}`;
      await sleep(50);
    }
  }
}

function brokenCsv(file: Buffer, rows: number): string | null {
  const lines = file.toString('utf8').trimEnd().split('\r\n');
  return lines.length === rows + 1 ? brokenLines(file) : `${lines.length} lines: ${lines.at(-1)}`;
}

/** No value of this survey has a comma in it. */
function brokenLines(file: Buffer): string | null {
  const lines = file.toString('utf8').trimEnd().split('\r\n');
  const cells = lines[0]!.split(',').length;
  const odd = lines.find((line) => line.split(',').length !== cells);
  return odd === undefined ? null : `${cells} headers, but ${odd}`;
}

function brokenZip(file: Buffer): Promise<string | null> {
  return new Promise((resolve) => {
    yauzl.fromBuffer(file, { lazyEntries: false }, (error, zip) => {
      if (error) resolve(error.message);
      else zip.once('end', () => resolve(null)).once('error', (each: Error) => resolve(each.message));
    });
  });
}

const SAV_END_OF_DICTIONARY = 999;

/** A file that was cut off within its dictionary, or has no case. */
function brokenSav(file: Buffer): string | null {
  if (file.subarray(0, 4).toString('latin1') !== '$FL2') return 'no header';
  const end = Buffer.alloc(8);
  end.writeInt32LE(SAV_END_OF_DICTIONARY);
  const at = file.indexOf(end);
  return at > 0 && file.length > at + 1_000 ? null : `${file.length} bytes`;
}
