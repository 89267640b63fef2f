import { describe, expect, test } from 'vitest';
import { ColumnCatalog } from '../../../../../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../../../../../src/domain/dataset/dataset.ts';
import { readFilter } from '../../../../../src/domain/dataset/filter/filter.ts';
import {
  ALL_RESPONSES,
  selectAndCountRows,
  selectRows,
  type ResponseScope,
} from '../../../../../src/domain/dataset/filter/select-rows.ts';
import type { ResponseRow } from '../../../../../src/domain/responses/response-row.ts';
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

  test.each([{}, { connector: 'or', conditions: [] }, { conditions: [{ conditions: [] }] }])(
    'are the same with the empty filter %j',
    (filter) => {
      const all = [...REAL, ...TEST];
      expect(counting(all, true, { filter })).toEqual(counting(all, true));
    },
  );

  test('are none with an expression that never holds and reads no column', () => {
    expect(counting(REAL, true, { filter: '1 = 2' }).ids).toEqual([]);
  });

  test('share the mask of a selection without a filter if the filter is empty', () => {
    const dataset = Dataset.ofRows(catalog, REAL, []);
    const empty = readFilter({}, catalog);
    if (!empty.ok) throw new Error(JSON.stringify(empty.problems));
    expect(selectRows(dataset, { filter: empty.filter })).toBe(selectRows(dataset));
    expect(selectAndCountRows(dataset, { filter: empty.filter }).mask).toBe(selectRows(dataset));
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

describe('a released mask', () => {
  const select = (dataset: Dataset, filter?: string) => {
    const read = readFilter(filter, catalog);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return selectRows(dataset, filter === undefined ? {} : { filter: read.filter });
  };
  const people = [10, 20, 30, 40, 50].map((age, index) => response(index + 1, { age }));

  test('lends its memory to the next filter, also when responses were added', () => {
    const dataset = Dataset.ofRows(catalog, people, ['age']);
    const first = select(dataset, 'age >= 30');
    expect([...first]).toEqual([0, 0, 1, 1, 1]);
    dataset.releaseMask(first);
    const second = select(dataset, 'age < 30');
    expect([...second]).toEqual([1, 1, 0, 0, 0]);
    expect(second.buffer).toBe(first.buffer);
    dataset.releaseMask(second);
    dataset.upsert(Array.from({ length: 20 }, (_, index) => response(6 + index, { age: 60 })));
    expect([...select(dataset, 'age = 60')]).toEqual([...Array<0>(5).fill(0), ...Array<1>(20).fill(1)]);
  });

  test('is lent once, and a mask in use never', () => {
    const dataset = Dataset.ofRows(catalog, people, ['age']);
    const used = select(dataset, 'age = 10');
    const released = select(dataset, 'age = 20');
    dataset.releaseMask(released);
    dataset.releaseMask(released);
    const [next, another] = [select(dataset, 'age = 30'), select(dataset, 'age = 40')];
    expect([...used]).toEqual([1, 0, 0, 0, 0]);
    expect([...next]).toEqual([0, 0, 1, 0, 0]);
    expect([...another]).toEqual([0, 0, 0, 1, 0]);
  });

  test('of a selection without a filter stays shared', () => {
    const dataset = Dataset.ofRows(catalog, people, ['age']);
    const shared = select(dataset);
    dataset.releaseMask(shared);
    select(dataset, 'age = 10');
    expect([...shared]).toEqual([1, 1, 1, 1, 1]);
    expect(select(dataset)).toBe(shared);
  });
});
