import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { buildSav } from '../../support/build-sav.ts';
import { withFile } from '../../support/file-transfer.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;
const PATH = '/api/surveys/respondents';

const sent = (file: Buffer | string, fields: Record<string, string> = {}) =>
  withFile(author.post(`${PATH}/import`), file, fields);

/** What an import says, with this status. */
async function imported(file: Buffer | string, fields: Record<string, string> = {}, status = 201) {
  const { body } = await sent(file, fields).expect(status);
  const { created, updated, unchanged, failed, rows } = body.data;
  return { ...body.data, counts: { created, updated, unchanged, failed }, rows } as {
    counts: Record<string, number>;
    rows: { row: number; outcome: string; respondent_id: number | null; details?: object[] }[];
    columns: { header: string; field: string | null; attribute: string | null; reason: string | null }[];
    [member: string]: unknown;
  };
}

const found = async (search: string) => {
  const { body } = await author.get(`${PATH}?search=${encodeURIComponent(search)}&sort=respondent_id`);
  return body.data as Record<string, unknown>[];
};
const count = async (): Promise<number> => (await author.get(`${PATH}/count`)).body.data.count;

test('imports a statistics file', async () => {
  const file = buildSav({
    variables: [{ name: 'email', width: 16 }, { name: 'age' }],
    rows: [['ada@sav.example', 42]],
  });
  const report = await imported(file);
  expect(report).toMatchObject({ format: 'sav', counts: { created: 1, failed: 0 } });
  expect(await found('@sav.example')).toMatchObject([{ email: 'ada@sav.example', attributes: { AGE: 42 } }]);
});

test('imports a CSV file; unknown columns become attributes, and formulas plain text', async () => {
  const csv =
    'E-Mail;Name;External ID;language;opted_out;Segment;age;vip;zip;note;completed_count;;age\r\n' +
    'ada@csv.example;"Ada; Countess";C-1;en;;A;42;true;01234;"=HYPERLINK(""x"")";9;x;1\r\n' +
    'ben@csv.example;=cmd|calc;;;yes;;4.5;;;+49 30 1;;;\r\n';
  const report = await imported(csv);
  expect(report).toMatchObject({ dry_run: false, format: 'csv', delimiter: ';', notes: [] });
  expect(report.counts).toEqual({ created: 2, updated: 0, unchanged: 0, failed: 0 });
  const [ada, ben] = await found('@csv.example');
  expect(report.rows).toEqual([
    { row: 2, outcome: 'created', respondent_id: ada!.respondent_id },
    { row: 3, outcome: 'created', respondent_id: ben!.respondent_id },
  ]);
  expect(ada).toMatchObject({
    email: 'ada@csv.example',
    name: 'Ada; Countess',
    external_id: 'C-1',
    language: 'en',
    opted_out: false,
    completed_count: 0,
    attributes: { Segment: 'A', age: 42, vip: true, zip: '01234', note: '=HYPERLINK("x")' },
  });
  expect(ben).toMatchObject({
    name: '=cmd|calc',
    external_id: null,
    opted_out: true,
    attributes: { age: 4.5, note: '+49 30 1' },
  });
  expect(report.columns.filter(({ reason }) => reason !== null)).toEqual([
    {
      header: 'completed_count',
      field: null,
      attribute: null,
      reason: 'is kept by the server, not imported',
    },
    { header: '', field: null, attribute: null, reason: 'has no name' },
    { header: 'age', field: null, attribute: null, reason: 'repeats "age"' },
  ]);
});

test('imports a workbook like the same CSV file', async () => {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('People');
  sheet.addRow(['email', 'external_id', 'age', 'joined', 'sum']);
  sheet.addRow([
    'ada@xlsx.example',
    1001,
    42,
    new Date('2026-03-01T00:00:00Z'),
    { formula: '1+1', result: 2 },
  ]);
  const file = Buffer.from(await workbook.xlsx.writeBuffer());
  const report = await imported(file);
  expect(report).toMatchObject({ format: 'xlsx', created: 1 });
  const [ada] = await found('ada@xlsx.example');
  expect(ada).toMatchObject({
    external_id: '1001',
    attributes: { age: 42, joined: '2026-03-01', sum: 2 },
  });
  const csv = 'email,external_id,age,joined,sum\nada@xlsx.example,1001,42,2026-03-01,2\n';
  expect((await imported(csv, { update_existing: 'true' })).counts).toMatchObject({ unchanged: 1 });
});

describe('existing respondents', () => {
  test('stay unchanged without update_existing', async () => {
    await imported('email,name,tier\nkept@known.example,Kept,1\n');
    const again = 'email,name,tier\nKEPT@known.example,Other,2\nnew@known.example,New,1\n';
    expect((await imported(again)).counts).toEqual({ created: 1, updated: 0, unchanged: 1, failed: 0 });
    const [kept] = await found('kept@known');
    expect(kept).toMatchObject({ email: 'kept@known.example', name: 'Kept', attributes: { tier: 1 } });
  });

  test('are matched by external_id, then email, and keep values that the file does not contain', async () => {
    await imported(
      'external_id,email,name,language,tier,region\nU-1,u1@up.example,One,en,1,north\nU-2,u2@up.example,Two,,1,south\n' +
        ',u3@up.example,Three,,1,\nU-4,u4@up.example,Four,,1,\n',
    );
    await author.post(`${PATH}/${(await found('u4@up'))[0]!.respondent_id as number}/opt-out`).expect(200);
    const report = await imported(
      'external_id,email,name,tier,opted_out\nU-1,moved@up.example,,2,\n,U2@up.example,Second,,1\nU-3,u3@up.example,,,\n' +
        'U-4,,,1,no\n',
      { update_existing: 'true' },
    );
    expect(report.counts).toEqual({ created: 0, updated: 3, unchanged: 1, failed: 0 });
    const [one, two, three, four] = await found('@up.example');
    expect(one).toMatchObject({
      email: 'moved@up.example',
      name: 'One',
      language: 'en',
      attributes: { tier: 2, region: 'north' },
    });
    expect(two).toMatchObject({ external_id: 'U-2', name: 'Second', opted_out: true });
    expect(two!.attributes).toEqual({ tier: 1, region: 'south' });
    expect(three).toMatchObject({ external_id: 'U-3', name: 'Three' });
    expect(four).toMatchObject({ opted_out: true });
    const { rows } = await app.database.db.raw(
      `SELECT action, details FROM audit_log WHERE action = 'respondents.imported' AND object_id = ? ORDER BY audit_id DESC LIMIT 1`,
      [String(organization.workspaceId)],
    );
    expect(rows).toEqual([{ action: 'respondents.imported', details: { created: 0, updated: 3 } }]);
  });
});

const BAD =
  'email,external_id,name,language,tier\n' +
  'good@bad.example,B-1,Good,en,1\n' +
  'nobody,B-2,,,\n' +
  'a@bad.example,B-3,"Two\nlines",klingon please,"x\ty"\n' +
  'GOOD@bad.example,B-4,,,\n' +
  'b@bad.example,B-1,,,\n' +
  ',,Nameless,,\n' +
  'c@bad.example,B-5,,,1,extra\n' +
  'last@bad.example,,Last,,2\n';

describe('invalid rows', () => {
  test('reject the whole file, naming their lines, and write nothing', async () => {
    const before = await count();
    const refusal = await expectRefused(sent(BAD), 400, 'validation_failed');
    expect(refusal.details).toEqual([
      { field: 'rows[3].email', message: '"nobody" must be an email address such as name@example.org' },
      {
        field: 'rows[4].name',
        message: '"Two\\nlines" must not contain control characters such as line breaks',
      },
      { field: 'rows[4].language', message: '"klingon please" must be a language tag such as en or pt-BR' },
      { field: 'rows[4].tier', message: '"x\\ty" must not contain control characters such as line breaks' },
      { field: 'rows[5].email', message: 'is a duplicate of the email of row 2' },
      { field: 'rows[6].external_id', message: 'is a duplicate of the external_id of row 2' },
      { field: 'rows[7]', message: 'the row must have an email or an external_id' },
      { field: 'rows[8]', message: 'the row has 6 cells, the file 5 columns' },
    ]);
    expect(await count()).toBe(before);
  });

  test('are reported by a dry run, and skipped if atomic is false', async () => {
    const before = await count();
    const dry = await imported(BAD, { dry_run: 'true' }, 200);
    expect(dry.counts).toEqual({ created: 2, updated: 0, unchanged: 0, failed: 6 });
    expect(dry.rows[0]).toEqual({ row: 2, outcome: 'created', respondent_id: null });
    expect(await count()).toBe(before);
    const real = await imported(BAD, { atomic: 'false' });
    expect(real.counts).toEqual(dry.counts);
    expect(real.rows.map(({ row, outcome }) => [row, outcome])).toEqual(
      dry.rows.map(({ row, outcome }) => [row, outcome]),
    );
    expect((await found('@bad.example')).map(({ email }) => email)).toEqual([
      'good@bad.example',
      'last@bad.example',
    ]);
  });

  test('include those that would merge two respondents', async () => {
    await imported(
      'email,external_id\na@two.example,T-1\nb@two.example,T-2\nc@two.example,\nd@two.example,T-4\n',
    );
    const report = await imported(
      'email,external_id,tier\nb@two.example,T-1,1\na@two.example,T-9,1\nd@two.example,,1\n,T-4,2\nc@two.example,T-3,1\n',
      { update_existing: 'true', atomic: 'false' },
    );
    const id = async (search: string) => (await found(search))[0]!.respondent_id as number;
    const [a, b, c, d] = [await id('a@two'), await id('b@two'), await id('c@two'), await id('d@two')];
    expect(report.rows).toEqual([
      {
        row: 2,
        outcome: 'failed',
        respondent_id: null,
        details: [
          { column: 'email', message: `belongs to respondent ${b}, but external_id to respondent ${a}` },
        ],
      },
      {
        row: 3,
        outcome: 'failed',
        respondent_id: null,
        details: [
          {
            column: 'external_id',
            message: `the email belongs to respondent ${a}, who has another external_id`,
          },
        ],
      },
      { row: 4, outcome: 'updated', respondent_id: d },
      {
        row: 5,
        outcome: 'failed',
        respondent_id: null,
        details: [{ column: '', message: `is respondent ${d}, as row 4 is` }],
      },
      { row: 6, outcome: 'updated', respondent_id: c },
    ]);
    expect((await found('d@two'))[0]).toMatchObject({ external_id: 'T-4', attributes: { tier: 1 } });
  });

  test('report too many attributes', async () => {
    const columns = (from: number) => Array.from({ length: 60 }, (_, index) => `c${from + index}`);
    const file = (from: number) =>
      `email,${columns(from).join(',')}\nmany@attr.example,${columns(from).join(',')}\n`;
    await imported(file(0));
    await expectInvalidField(sent(file(60), { update_existing: 'true' }), 'rows[2].attributes');
  });
});

describe('files without a respondent list', () => {
  test.each([
    ['no email addresses or ids', 'name,tier\nAda,1\n', 'must have a column email or external_id'],
    ['a prototype as an attribute', 'email,__proto__\na@x.example,1\n', 'column "__proto__"'],
    ['a constructor as an attribute', 'email,constructor\na@x.example,1\n', 'column "constructor"'],
    ['a template as an attribute', 'email,{{name}}\na@x.example,1\n', 'column "{{name}}"'],
    [
      '5,000 attributes',
      `email,${Array.from({ length: 4_999 }, (_, i) => `a${i}`).join(',')}\n`,
      'must have at most 100 attribute columns, not 4999',
    ],
  ])('%s: returns 400 with the reason', async (_, file, message) => {
    const refusal = await expectRefused(sent(file), 400, 'validation_failed');
    expect(refusal.message).toContain(message);
  });

  test('returns 404 for a workspace of another organization, in the query or the form', async () => {
    const other = await newOrganization(app);
    const there = { workspace_id: String(other.workspaceId) };
    await expectRefused(sent('email\na@x.example\n', there), 404);
    await expectRefused(
      withFile(author.post(`${PATH}/import?workspace_id=${other.workspaceId}`), 'email\na@x.example\n'),
      404,
    );
    await expectRefused(author.post(`${PATH}/import`, { email: 'a@x.example' }), 415);
  });
});

test('creates each respondent once under concurrent imports', async () => {
  const file = `email\n${Array.from({ length: 200 }, (_, index) => `p${index}@race.example`).join('\n')}\n`;
  const reports = await Promise.all([imported(file), imported(file)]);
  expect(reports.map(({ counts }) => counts.created).sort()).toEqual([0, 200]);
  expect((await found('@race.example')).length).toBe(200);
});

test('columns have the meaning that column_names gives them', async () => {
  const csv = 'Adresse;Vorname;Notiz;email\nada@named.example;Ada;secret;x\n';
  const names = { Adresse: 'email', Vorname: 'name', Notiz: '', email: 'old_address' };
  const report = await imported(csv, { column_names: JSON.stringify(names) });
  expect(report.columns).toEqual([
    { header: 'Adresse', field: 'email', attribute: null, reason: null },
    { header: 'Vorname', field: 'name', attribute: null, reason: null },
    { header: 'Notiz', field: null, attribute: null, reason: 'is left out' },
    { header: 'email', field: null, attribute: 'old_address', reason: null },
  ]);
  const [ada] = await found('@named.example');
  expect(ada).toMatchObject({ email: 'ada@named.example', name: 'Ada', attributes: { old_address: 'x' } });
});

test('a file without an identifying column is refused with its headers', async () => {
  const { body } = await sent('Adresse;Vorname\na@b.example;Ada\n', { dry_run: 'true' }).expect(400);
  expect(body).toMatchObject({ code: 'validation_failed', columns: ['Adresse', 'Vorname'] });
});

test.each(['x', '[]', '{"a":1}', 'null', '{"a":{}}'])('refuses column_names %s', async (names) => {
  await expectInvalidField(sent('email\na@b.example\n', { column_names: names }), 'column_names');
});
