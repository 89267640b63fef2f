import { describe, expect, test } from 'vitest';
import type { StoredAnswers } from '../../../../../src/domain/questions/answers/codec.ts';
import { ColumnCatalog } from '../../../../../src/domain/dataset/column-catalog.ts';
import {
  applyEdits,
  createColumnReplacement,
  findReplacements,
  replacementProblem,
} from '../../../../../src/domain/dataset/edit-cells.ts';
import { everyType } from '../survey-fixture.ts';

const catalog = new ColumnCatalog(everyType);

function replaced(
  answers: StoredAnswers,
  code: string,
  find: string,
  replace: string,
  entire = false,
): unknown {
  const input = { find, replace, matchCase: false, matchEntireCell: entire };
  const column = createColumnReplacement(catalog.find(code)!, input);
  const response = { answers, originals: null };
  const { edits, problems } = findReplacements(response, [column]);
  if (problems.length > 0) return problems;
  const result = applyEdits(response, edits);
  return result.ok
    ? { ...answers, ...Object.fromEntries(Object.entries(result.states).map(([key, [to]]) => [key, to])) }
    : result.problems;
}

describe('replacing cells', () => {
  test.each<[StoredAnswers, string, string, string, StoredAnswers]>([
    [{ Q5: 'Good, good' }, 'Q5', 'GOOD', 'bad', { Q5: 'bad, bad' }],
    [{ Q5: 'good' }, 'Q5', 'good', '', { Q5: null }],
    [{ Q1: { value: '9', other: 'Tee' } }, 'Q1_other', 'tee', 'Tea', { Q1: { value: '9', other: 'Tea' } }],
    [{ region: 'South' }, 'region', 'south', 'north', { region: 'north' }],
    [{ region: 'South' }, 'region', 'sou', 'north', { region: 'South' }],
    [{ nps: 10 }, 'nps', '1', '2', { nps: 10 }],
    [{ nps: 1 }, 'nps', '1', '2', { nps: 2 }],
    [{ age: 16.5 }, 'age', '6.', '7.', { age: 17.5 }],
    [{ Q9: '2025-12-31' }, 'Q9', '2025', '2024', { Q9: '2024-12-31' }],
    [{ Q2: ['1', '33'] }, 'Q2_2', '0', '1', { Q2: ['1', '2', '33'] }],
    [{ Q2: ['1', '33'] }, 'Q2', '33', '1', { Q2: ['1'] }],
    [{ Q2: ['1', '33'] }, 'Q2', '33', '', { Q2: ['1'] }],
    [{ Q7: { r1: ['1'], r2: ['2'] } }, 'Q7_r2', '2', '3', { Q7: { r1: ['1'], r2: ['3'] } }],
    [{ Q3: { r1: '1', r2: '1' } }, 'Q3_r2', '1', '3', { Q3: { r1: '1', r2: '3' } }],
  ])('replaces %j in %s: %j by %j', (answers, code, find, replace, expected) => {
    expect(replaced(answers, code, find, replace)).toEqual(expected);
  });

  test('with an empty search text fills skipped cells, not those never shown', () => {
    expect(replaced({ Q5: null }, 'Q5', '', 'none', true)).toEqual({ Q5: 'none' });
    expect(replaced({}, 'Q5', '', 'none', true)).toEqual({});
    expect(replaced({ Q5: 'x' }, 'Q5', '', 'none', true)).toEqual({ Q5: 'x' });
  });

  test("reports a result that is not a value of the column with the column's own message", () => {
    expect(replaced({ age: 12 }, 'age', '1', 'x')).toEqual([
      { field: 'age', message: 'must be a number, not "x2"' },
    ]);
    expect(replaced({ Q5: 'a'.repeat(1_000) }, 'Q5', 'a', 'b'.repeat(1_000))).toEqual([
      'Q5 would become too long',
    ]);
  });

  test('accepts only a valid value, or none, in a column with values', () => {
    const problem = (code: string, replace: string) => replacementProblem(catalog.find(code)!, replace);
    expect(problem('region', 'North')).toBe(
      '"North" is not a value of region; accepted: "north", "South", "west"',
    );
    expect(problem('Q2', '41')).toMatch(/"10" and 30 more$/);
    expect(problem('nps', '11')).toContain('"11" is not a value of nps');
    for (const [code, replace] of [
      ['region', 'west'],
      ['region', ''],
      ['Q2_1', '1'],
      ['age', 'anything'],
      ['Q5', 'anything'],
    ] as const)
      expect(problem(code, replace)).toBeNull();
  });
});
