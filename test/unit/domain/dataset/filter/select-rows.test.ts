import { describe, expect, test } from 'vitest';
import { ColumnCatalog } from '../../../../../src/domain/dataset/columns/column-catalog.ts';
import { Dataset } from '../../../../../src/domain/dataset/dataset.ts';
import { readFilter } from '../../../../../src/domain/dataset/filter/filter.ts';
import {
  ALL_RESPONSES,
  selectAndCountRows,
  selectRows,
  type ResponseScope,
} from '../../../../../src/domain/dataset/filter/select-rows.ts';
import type { ResponseRow } from '../../../../../src/domain/dataset/response-row.ts';
import { everyType, response } from '../survey-fixture.ts';

const catalog = new ColumnCatalog(everyType);
const confirmed = { hasConfirmedFlags: true };

const REAL = [
  response(1, { age: 20 }),
  response(2, { age: 30 }, confirmed),
  response(3, { age: 40 }, { status: 'partial' }),
  response(4, { age: 50 }, { isDeleted: true }),
];
const TEST = [
  response(5, { age: 20 }, { isTest: true }),
  response(6, { age: 60 }, { isTest: true, ...confirmed }),
  response(7, { age: 60 }, { isTest: true, isDeleted: true }),
];

function counting(
  rows: readonly ResponseRow[],
  isPublished: boolean,
  what: ResponseScope & { filter?: unknown } = {},
) {
  const { filter: givenFilter, ...rest } = what;
  const read = readFilter(givenFilter, catalog);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const dataset = Dataset.ofRows(catalog, rows, read.filter.loadCodes);
  dataset.isPublished = isPublished;
  const selection = givenFilter === undefined ? rest : { ...rest, filter: read.filter };
  const { mask, counted } = selectAndCountRows(dataset, selection);
  expect(selectRows(dataset, selection)).toEqual(mask);
  const ids = [...mask].flatMap((counts, row) => (counts === 1 ? [dataset.responseIds[row]!] : []));
  expect(counted.responses).toBe(ids.length);
  return { ids, counted };
}

describe('counted responses', () => {
  test('exclude test responses once the survey is published and has a real response', () => {
    const { ids, counted } = counting([...REAL, ...TEST], true);
    expect(ids).toEqual([1]);
    expect(counted).toEqual({
      responses: 1,
      test_responses_included: 0,
      test_responses_excluded: 2,
      quality_included: 0,
      quality_excluded: 1,
    });
  });

  test.each([
    ['is not published', REAL, false],
    ['has no real response', [], true],
    ['has only deleted real responses', [REAL[3]!], true],
  ])('include test responses while the survey %s', (_, real, isPublished) => {
    const { ids, counted } = counting([...real, ...TEST], isPublished);
    expect(ids).toContain(5);
    expect(counted).toMatchObject({ test_responses_included: 1, test_responses_excluded: 0 });
  });

  test('exclude test responses for a real response that is partial or has confirmed flags', () => {
    expect(counting([REAL[2]!, ...TEST], true).ids).toEqual([]);
    expect(counting([REAL[1]!, ...TEST], true).ids).toEqual([]);
  });

  test('follow explicit options for test and flagged responses', () => {
    const all = [...REAL, ...TEST];
    expect(counting(all, true, { includeTest: true }).ids).toEqual([1, 5]);
    expect(counting(all, false, { includeTest: false }).ids).toEqual([1]);
    expect(counting(all, true, { includeConfirmed: true })).toEqual({
      ids: [1, 2],
      counted: {
        responses: 2,
        test_responses_included: 0,
        test_responses_excluded: 2,
        quality_included: 1,
        quality_excluded: 0,
      },
    });
    expect(counting(all, true, ALL_RESPONSES).ids).toEqual([1, 2, 3, 5, 6]);
    expect(counting(all, true, { ...ALL_RESPONSES, includeDeleted: true }).ids).toEqual([
      1, 2, 3, 4, 5, 6, 7,
    ]);
  });

  test('include only responses that match status and filter', () => {
    const all = [...REAL, ...TEST];
    expect(counting(all, true, { filter: { age: 20 } })).toEqual({
      ids: [1],
      counted: {
        responses: 1,
        test_responses_included: 0,
        test_responses_excluded: 1,
        quality_included: 0,
        quality_excluded: 0,
      },
    });
    expect(counting(all, true, { filter: 'age >= 30', status: ['complete', 'partial'] })).toEqual({
      ids: [3],
      counted: {
        responses: 1,
        test_responses_included: 0,
        test_responses_excluded: 1,
        quality_included: 0,
        quality_excluded: 1,
      },
    });
  });

  test('change when a response gets confirmed flags or is the first real one', () => {
    const dataset = Dataset.ofRows(catalog, TEST.slice(0, 1), []);
    dataset.isPublished = true;
    expect([...selectRows(dataset)]).toEqual([1]);
    dataset.upsert([REAL[0]!]);
    expect([...selectRows(dataset)]).toEqual([0, 1]);
    dataset.upsert([{ ...REAL[0]!, ...confirmed }]);
    expect([...selectRows(dataset)]).toEqual([0, 0]);
  });
});
