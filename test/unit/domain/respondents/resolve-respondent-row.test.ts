import { describe, expect, test } from 'vitest';
import {
  type ExistingRespondent,
  resolveRespondentRow,
  type RespondentInput,
} from '../../../../src/domain/import/respondent-row.ts';

const given = (fields: Partial<RespondentInput>): RespondentInput => ({
  row: 2,
  email: null,
  name: null,
  externalId: null,
  language: null,
  optedOut: false,
  attributes: {},
  ...fields,
});
const ada: ExistingRespondent = {
  respondentId: 7,
  email: 'ada@example.org',
  name: 'Ada',
  externalId: 'A',
  language: 'en',
  optedOut: false,
  attributes: { tier: 1 },
};
const nameless: ExistingRespondent = { ...ada, respondentId: 8, externalId: null };

test('creates a new respondent', () => {
  expect(
    resolveRespondentRow({
      input: given({ email: 'x@example.org' }),
      byExternalId: null,
      byEmail: null,
      updateExisting: true,
    }),
  ).toEqual({
    outcome: 'created',
  });
});

describe('an existing respondent', () => {
  test.each([
    ['repeats all values', given({ externalId: 'A', name: 'Ada', attributes: { tier: 1 } }), 'unchanged'],
    ['has only the external_id', given({ externalId: 'A' }), 'unchanged'],
    ['has the address in another case', given({ externalId: 'A', email: 'ADA@example.org' }), 'unchanged'],
    ['has another address', given({ externalId: 'A', email: 'b@example.org' }), 'updated'],
    ['has another name', given({ externalId: 'A', name: 'Eva' }), 'updated'],
    ['has another language', given({ externalId: 'A', language: 'de' }), 'updated'],
    ['opts out', given({ externalId: 'A', optedOut: true }), 'updated'],
    ['has another value', given({ externalId: 'A', attributes: { tier: 2 } }), 'updated'],
    ['has an additional attribute', given({ externalId: 'A', attributes: { x: true } }), 'updated'],
  ])('whose row %s is %s', (_, row, outcome) => {
    expect(
      resolveRespondentRow({ input: row, byExternalId: ada, byEmail: null, updateExisting: true }),
    ).toEqual({ outcome, respondentId: 7 });
    expect(
      resolveRespondentRow({ input: row, byExternalId: ada, byEmail: null, updateExisting: false }),
    ).toEqual({ outcome: 'unchanged', respondentId: 7 });
  });

  test('without an external_id gets that of the row', () => {
    const row = given({ email: 'ada@example.org', externalId: 'B' });
    expect(
      resolveRespondentRow({ input: row, byExternalId: null, byEmail: nameless, updateExisting: true }),
    ).toEqual({ outcome: 'updated', respondentId: 8 });
  });

  test('with another external_id, or matching two respondents, fails the row', () => {
    const row = given({ email: 'ada@example.org', externalId: 'B' });
    expect(
      resolveRespondentRow({ input: row, byExternalId: null, byEmail: ada, updateExisting: true }),
    ).toMatchObject({
      outcome: 'failed',
      problem: { column: 'external_id' },
    });
    expect(
      resolveRespondentRow({ input: row, byExternalId: nameless, byEmail: ada, updateExisting: false }),
    ).toMatchObject({
      outcome: 'failed',
      problem: { column: 'email' },
    });
  });

  test('who opted out before remains so, without a change', () => {
    const out = { ...ada, optedOut: true };
    expect(
      resolveRespondentRow({
        input: given({ externalId: 'A', optedOut: false }),
        byExternalId: out,
        byEmail: null,
        updateExisting: true,
      }).outcome,
    ).toBe('unchanged');
  });

  test('cannot exceed the attribute limit', () => {
    const attributes = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`a${index}`, 1]));
    expect(
      resolveRespondentRow({
        input: given({ externalId: 'A', attributes }),
        byExternalId: ada,
        byEmail: null,
        updateExisting: true,
      }),
    ).toMatchObject({
      outcome: 'failed',
      problem: { column: 'attributes' },
    });
  });
});
