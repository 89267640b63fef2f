import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { type Actor, anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { choice, multiple, number, text } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;
let survey: PublishedSurvey;
const at = (path: string) => `/api/responses/${survey.surveyId}/${path}`;

beforeAll(async () => {
  survey = await publishedSurvey(author, [[choice('Q1'), number('Q2'), multiple('Q3'), text('Q4')]]);
  const rows = [
    { submission_id: 'a', answers: { Q1: '1', Q2: 30, Q3: ['1', '2'], Q4: '=1+1' } },
    { submission_id: 'b', answers: { Q1: '2', Q2: 20, Q4: 'plain, with comma' } },
    {
      submission_id: 'c',
      answers: { Q1: '3', Q3: ['3'] },
      started_at: '2026-01-02T10:00:00Z',
      completed_at: '2026-01-02T10:05:30Z',
    },
    { submission_id: 'd', answers: { Q1: '1' }, status: 'partial' },
    {
      submission_id: 'e',
      answers: { Q1: '2', Q2: 25 },
      status: 'screened_out',
      external_id: 'x-1',
      language: 'en',
    },
  ];
  await author.post(at('rows'), { rows }).expect(201);
});

interface Row {
  response_id: number;
  submission_id: string;
  values: Record<string, unknown>;
}
async function getGrid(query: string): Promise<{
  columns: { column_code: string }[];
  rows: Row[];
  meta: { total: number; next_cursor: string | null };
}> {
  const reply = await author.get(at(`grid${query}`)).expect(200);
  return { ...reply.body.data, meta: reply.body.meta };
}
const names = (rows: Row[]) => rows.map((row) => row.submission_id).join('');

describe('the grid', () => {
  test('returns every response with its values and column definitions', async () => {
    const { columns, rows, meta } = await getGrid('');
    expect(names(rows)).toBe('abcde');
    expect(meta).toMatchObject({ total: 5, next_cursor: null });
    expect(columns.map((column) => column.column_code)).toEqual(
      expect.arrayContaining(['response_id', 'Q1', 'Q2', 'Q3_1', 'Q3_2', 'Q3_3', 'Q4']),
    );
    expect(rows[0]!.values).toEqual({ Q1: '1', Q2: 30, Q3_1: 1, Q3_2: 1, Q3_3: 0, Q4: '=1+1' });
    expect(rows[1]!.values).toMatchObject({ Q3_1: null, Q3_2: null, Q3_3: null });
    expect(rows[2]).toMatchObject({
      started_at: '2026-01-02T10:00:00.000Z',
      duration_seconds: 330,
      response_status: 'complete',
    });
    expect(rows[4]).toMatchObject({ response_status: 'screened_out', external_id: 'x-1', language: 'en' });
  });

  test('filters by status and by both forms of filter', async () => {
    expect(names((await getGrid('?status=complete')).rows)).toBe('abc');
    expect(names((await getGrid('?status=partial,screened_out')).rows)).toBe('de');
    const short = encodeURIComponent(JSON.stringify({ Q1: ['1', '3'] }));
    expect(names((await getGrid(`?filter=${short}`)).rows)).toBe('acd');
    const condition = { left: { type: 'column', code: 'Q2' }, operator: 'between', right: [20, 25] };
    expect(names((await getGrid(`?filters=${encodeURIComponent(JSON.stringify(condition))}`)).rows)).toBe(
      'be',
    );
  });

  test('sorts by a column, missing values last in both directions', async () => {
    expect(names((await getGrid('?sort=Q2')).rows)).toBe('beacd');
    expect(names((await getGrid('?sort=-Q2')).rows)).toBe('aebcd');
    expect(names((await getGrid('?sort=-response_id')).rows)).toBe('edcba');
  });

  test('pages without repeating or omitting a row', async () => {
    const pagedIds: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await getGrid(`?limit=2&sort=-Q2${cursor === null ? '' : `&cursor=${cursor}`}`);
      expect(page.meta.total).toBe(5);
      pagedIds.push(...page.rows.map((row) => row.submission_id));
      cursor = page.meta.next_cursor;
    } while (cursor !== null);
    expect(pagedIds.join('')).toBe('aebcd');
  });

  test('returns only the requested columns', async () => {
    const { columns, rows } = await getGrid('?columns=Q2,Q3');
    expect(columns.map((column) => column.column_code)).toEqual(['Q2', 'Q3']);
    expect(rows[0]!.values).toEqual({ Q2: 30, Q3: ['1', '2'] });
  });

  test('pages by number, in the same order as by cursor', async () => {
    const inOrder = names((await getGrid('?sort=-Q2')).rows);
    for (const page of [1, 2, 3, 4]) {
      const { rows, meta } = await getGrid(`?limit=2&sort=-Q2&page=${page}`);
      expect(names(rows)).toBe(inOrder.slice(2 * (page - 1), 2 * page));
      expect(meta.total).toBe(5);
      expect(meta.next_cursor === null).toBe(page >= 3);
    }
    expect((await getGrid('?page=2')).rows).toEqual([]);
    const second = await getGrid('?limit=2&page=2');
    const third = await getGrid(`?limit=2&cursor=${second.meta.next_cursor}`);
    expect(names([...second.rows, ...third.rows])).toBe('cde');
  });

  test.each([
    ['?sort=Nope', 'sort'],
    ["?sort=Q1'--", 'sort'],
    ['?columns=Q1,Qx', 'columns'],
    ['?filter={', 'filter'],
    ['?filter=%7B%22Zed%22%3A%5B%221%22%5D%7D', 'filter.Zed'],
    ['?filter=%7B%22Q1%22%3A%5B%229%22%5D%7D', 'filter.Q1'],
    ['?status=done', 'status'],
    ['?limit=0', 'limit'],
    ['?limit=5000', 'limit'],
    ['?cursor=xyz', 'cursor'],
    ['?page=0', 'page'],
    ['?page=2&cursor=xyz', 'page'],
    ['?include_test=perhaps', 'include_test'],
    ['?sort[0][x]=1', 'sort[0][x]'],
    ['?surprise=1', 'surprise'],
  ])('rejects %s, naming the parameter', async (query, field) => {
    const reply = await author.get(at(`grid${query}`)).expect(400);
    expect(reply.body.details.map((detail: { field: string }) => detail.field)).toContain(field);
  });
});

describe('the CSV export', () => {
  const exportLines = async (body: object) => {
    const reply = await author.post(at('export'), { format: 'csv', ...body }).expect(200);
    return reply.text.trimEnd().split('\r\n');
  };

  test('writes codes, labels or both', async () => {
    expect(await exportLines({ columns: ['Q1', 'Q3_1'] })).toEqual(['Q1,Q3_1', '1,1', '2,', '3,0']);
    expect(await exportLines({ columns: ['Q1', 'Q3_1'], values: 'label' })).toEqual([
      'Q1,Q3_1',
      'Option 1,Yes',
      'Option 2,',
      'Option 3,No',
    ]);
    expect(await exportLines({ columns: ['Q1'], values: 'both', headers: 'both' })).toEqual([
      'Q1: Which for Q1?,Q1_label',
      '1,Option 1',
      '2,Option 2',
      '3,Option 3',
    ]);
  });

  test('exports a multiple choice as one column on request', async () => {
    expect(await exportLines({ columns: ['Q3'] })).toEqual(['Q3', '1;2', '""', '3']);
    const [header] = await exportLines({ multiple: 'set' });
    expect(header).toContain(',Q3,');
    expect(header).not.toContain('Q3_1');
  });

  test('escapes formulas for spreadsheets', async () => {
    expect(await exportLines({ columns: ['Q4'] })).toEqual(['Q4', "'=1+1", '"plain, with comma"', '""']);
    expect((await exportLines({ columns: ['Q4'], escape_formulas: false }))[1]).toBe('=1+1');
  });

  test('contains complete responses by default and has a file name', async () => {
    expect(await exportLines({ columns: ['submission_id'], status: ['partial', 'complete'] })).toEqual([
      'submission_id',
      'a',
      'b',
      'c',
      'd',
    ]);
    const reply = await author.post(at('export'), {}).expect(200);
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="A survey\.csv"/);
  });

  test('is rejected before the first byte if anything is invalid', async () => {
    for (const [body, field] of [
      [{ columns: ['Q1', 'x"; DROP'] }, 'columns[1]'],
      [{ filters: { Zed: ['1'] } }, 'filters.Zed'],
      [{ format: 'pdf' }, 'format'],
      [{ delimiter: '"' }, 'delimiter'],
    ] as const) {
      const reply = await author.post(at('export'), body).expect(400);
      expect(reply.body.details[0].field).toBe(field);
    }
  });
});

describe('access', () => {
  const operations: [string, (actor: Actor) => PromiseLike<{ status: number }>][] = [
    ['stats', (actor) => actor.get(at('stats'))],
    ['grid', (actor) => actor.get(at('grid'))],
    ['distribution', (actor) => actor.get(at('distribution/Q1'))],
    ['question', (actor) => actor.get(at(`question/${survey.questionIds.Q1}`))],
    ['export', (actor) => actor.post(at('export'), {})],
    ['rows', (actor) => actor.post(at('rows'), { rows: [{ answers: { Q1: '1' } }] })],
  ];
  test.each(operations)(
    '%s is available to members, not to clients or other organizations',
    async (name, call) => {
      const otherAdmin = (await newOrganization(app)).admin;
      const client = await organization.addUser('client');
      const member = await organization.addUser('member');
      expect((await call(anonymous(app))).status).toBe(401);
      expect((await call(client)).status).toBe(403);
      expect((await call(otherAdmin)).status).toBe(404);
      expect((await call(member)).status).toBe(name === 'rows' ? 201 : 200);
    },
  );

  test('returns 404 for a survey outside the named workspace', async () => {
    await author.get(at(`stats?workspace_id=${organization.workspaceId}`)).expect(200);
    await author.get(at('stats?workspace_id=999999')).expect(404);
  });
});

describe('figures', () => {
  test('return the columns and distribution of a question', async () => {
    const reply = await author.get(at(`question/${survey.questionIds.Q3}`)).expect(200);
    expect(reply.body.data).toMatchObject({ question_code: 'Q3', question_type: 'multiple_choice' });
    expect(reply.body.data.columns).toHaveLength(3);
    expect(reply.body.data.distributions).toHaveLength(1);
    expect(reply.body.data.distributions[0]).toMatchObject({ column_code: 'Q3', base: 2, type: 'multiple' });
  });

  test('return 404 for a question of another survey', async () => {
    const other = await publishedSurvey(author, { survey_name: 'Other', pages: [[choice('Q1')]] });
    await author.get(at(`question/${other.questionIds.Q1}`)).expect(404);
  });

  test('suggest similar columns for a misspelt code', async () => {
    const reply = await author.get(at('distribution/Q33')).expect(404);
    expect(reply.body.message).toContain('did you mean "Q3"');
  });

  test('use a numeric weight and reject other columns', async () => {
    const reply = await author.get(at('distribution/Q1?weight=Q2')).expect(200);
    expect(reply.body.data).toMatchObject({ base: 2, weighted_base: 50 });
    await author.get(at('distribution/Q1?weight=Q1')).expect(422);
    await author.get(at('distribution/Q1?weight=Zed')).expect(400);
  });

  test('use the requested base', async () => {
    const base = async (query: string) =>
      (await author.get(at(`distribution/Q2${query}`)).expect(200)).body.data.base;
    expect(await base('')).toBe(2);
    expect(await base('?base=shown')).toBeGreaterThan(2);
  });
});
