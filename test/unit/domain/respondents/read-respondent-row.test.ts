import { describe, expect, test } from 'vitest';
import { mapRespondentColumns, readRespondentRow } from '../../../../src/domain/import/respondent-row.ts';
import type { SourceCell } from '../../../../src/domain/import/source-file.ts';

const columnsOf = (...headers: string[]) =>
  mapRespondentColumns(headers.map((header) => ({ header, label: null, variable: null })));

describe('the columns of a respondent list', () => {
  test.each([
    ['email', 'email'],
    ['E-Mail', 'email'],
    [' Email Address ', 'email'],
    ['respondent_email', 'email'],
    ['External ID', 'external_id'],
    ['NAME', 'name'],
    ['Opted-out', 'opted_out'],
  ])('map %j to %s', (header, field) => {
    expect(columnsOf(header).columns).toEqual([{ header, field, attribute: null, reason: null }]);
  });

  test('are attributes if they match no field, with case-sensitive names', () => {
    const { columns, problems } = columnsOf('email', 'Tier', 'tier', 'Tier', 'First name');
    expect(columns.map(({ attribute }) => attribute)).toEqual([null, 'Tier', 'tier', null, 'First name']);
    expect(columns[3]!.reason).toBe('repeats "Tier"');
    expect(problems).toEqual([]);
  });

  test('are rejected without an identifying column, or with invalid attribute names', () => {
    expect(columnsOf('name').problems).toEqual([
      {
        field: 'file',
        message: 'must have a column email or external_id, which identifies respondents',
      },
    ]);
    expect(columnsOf('email', 'constructor', 'a:b').problems.map(({ message }) => message)).toEqual([
      'column "constructor" is not an attribute name',
      'column "a:b" is not an attribute name; accepted: letters and digits, with spaces, _, . and - between them',
    ]);
  });
});

describe('a row of a respondent list', () => {
  const { columns } = columnsOf('email', 'external_id', 'name', 'language', 'opted_out', 'tier');
  const read = (...cells: SourceCell[]) => readRespondentRow(columns, { row: 2, cells });

  test('contains its cells, without empty or missing ones', () => {
    expect(read(' a@example.org ', 1001, '=Ada', 'en', 'Yes', '7')).toEqual({
      given: {
        row: 2,
        email: 'a@example.org',
        externalId: '1001',
        name: '=Ada',
        language: 'en',
        optedOut: true,
        attributes: { tier: 7 },
      },
      problems: [],
    });
    expect(read(null, 'x', ' ')).toEqual({
      given: {
        row: 2,
        email: null,
        externalId: 'x',
        name: null,
        language: null,
        optedOut: false,
        attributes: {},
      },
      problems: [],
    });
  });

  test.each([
    [['nobody'], 'email', '"nobody" must be an email address such as name@example.org'],
    [
      ['a@example.org', null, 'Ada\r\nBcc: x'],
      'name',
      '"Ada\\r\\nBcc: x" must not contain control characters such as line breaks',
    ],
    [['a@example.org', null, null, 'e n'], 'language', '"e n" must be a language tag such as en or pt-BR'],
    [
      ['a@example.org', null, null, null, 'maybe'],
      'opted_out',
      '"maybe" is neither 1 nor 0, yes nor no, true nor false',
    ],
    [[null, null, 'Ada'], '', 'the row must have an email or an external_id'],
    [['a@example.org', null, null, null, null, null, 'x'], '', 'the row has 7 cells, the file 6 columns'],
  ] as [SourceCell[], string, string][])('%j is rejected because of its %s', (cells, column, message) => {
    expect(read(...cells).problems).toEqual([{ column, message }]);
  });
});
