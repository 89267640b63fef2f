import { describe, expect, it } from 'vitest';
import {
  anyOf,
  DEFAULT_VIEW,
  parseResultsView,
  type ResultsView,
  resultsViewQuery,
  selectionFilter,
  selectionParameters,
  type ViewFilter,
  withFilter,
} from '../../../../src/web/studio/client/survey/results-view.ts';

const VIEW: ResultsView = {
  status: 'partial',
  scope: 'with_tests',
  filters: [anyOf('Q1', ['1', '2']), anyOf('Q2', ['a & b'])],
  compareBy: 'Q3',
  weight: 'WEIGHT',
};
const AGE: ViewFilter = { code: 'age', part: null, operator: 'gte', values: ['18'] };
const WEIGHT: ViewFilter = { code: 'weight', part: null, operator: 'between', values: ['60', '75.5'] };
const WHY: ViewFilter = { code: 'why', part: null, operator: 'contains', values: ['“price” & more'] };
const ROW: ViewFilter = { code: 'rates', part: 'r2', operator: 'includes_all', values: ['1', '2'] };
const SKIPPED: ViewFilter = { code: 'why', part: null, operator: 'not_answered', values: [] };

const filterInAddress = (filters: readonly ViewFilter[]): unknown =>
  JSON.parse(new URLSearchParams(resultsViewQuery({ ...DEFAULT_VIEW, filters })).get('filter')!);
const parseFilters = (filter: unknown): readonly ViewFilter[] =>
  parseResultsView(`?${new URLSearchParams({ filter: JSON.stringify(filter) })}`).filters;

describe('view of the results', () => {
  it('has no query by default', () => {
    expect(resultsViewQuery(DEFAULT_VIEW)).toBe('');
    expect(parseResultsView('')).toEqual(DEFAULT_VIEW);
    const all = { ...DEFAULT_VIEW, status: 'all' } as const;
    expect(resultsViewQuery(all, all)).toBe('');
    expect(parseResultsView('', all)).toEqual(all);
    expect(parseResultsView(resultsViewQuery(DEFAULT_VIEW, all), all)).toEqual(DEFAULT_VIEW);
  });

  it.each([
    ['choices', VIEW],
    ['comparisons', { ...VIEW, filters: [AGE, WEIGHT, WHY, ROW, SKIPPED] }],
    ['a single comparison', { ...VIEW, filters: [SKIPPED] }],
    ['two filters on one question', { ...VIEW, filters: [anyOf('Q1', ['1']), anyOf('Q1', ['2'])] }],
  ] as const)('survives a trip through the address with %s', (_, view) => {
    expect(parseResultsView(resultsViewQuery(view))).toEqual(view);
  });

  it('has chosen values by code in the address', () => {
    expect(filterInAddress(VIEW.filters)).toEqual({ Q1: ['1', '2'], Q2: ['a & b'] });
    expect(parseFilters({ Q1: [1, '2'] })).toEqual([anyOf('Q1', ['1', '2'])]);
  });

  it('has other filters as conditions of the API in the address', () => {
    expect(filterInAddress([AGE])).toEqual({
      left: { type: 'column', code: 'age' },
      operator: 'gte',
      right: '18',
    });
    expect(filterInAddress([anyOf('Q1', ['1']), ROW, SKIPPED])).toEqual({
      connector: 'and',
      conditions: [
        { Q1: ['1'] },
        {
          left: { type: 'column', code: 'rates', row_code: 'r2' },
          operator: 'includes_all',
          right: ['1', '2'],
        },
        { left: { type: 'column', code: 'why' }, operator: 'not_answered' },
      ],
    });
  });

  it('reads conditions as a client of the API writes them', () => {
    expect(
      parseFilters({
        conditions: [
          { left: { code: 'age' }, operator: 'gte', right: 18 },
          { connector: 'and', conditions: [{ Q1: ['1'], Q2: ['2'] }] },
        ],
      }),
    ).toEqual([AGE, anyOf('Q1', ['1']), anyOf('Q2', ['2'])]);
  });

  it.each([
    ['?status=unknown'],
    ['?filter=%7B%22Q1%22'],
    ['?filter=null'],
    ['?filter=%5B1%5D'],
    ['?filter=%7B%22Q1%22%3A%5B%5D%7D'],
    ['?filter=%7B%22Q1%22%3A1%7D'],
    ['?filter=%7B%22Q1%22%3A%5B%7B%7D%5D%7D'],
  ])('shows unfiltered results for the damaged address %s', (search) => {
    expect(parseResultsView(search)).toEqual(DEFAULT_VIEW);
  });

  it.each([
    ['an unknown operator', { left: { code: 'age' }, operator: 'above', right: 18 }],
    ['no left side', { operator: 'gte', right: 18 }],
    ['a left side without a code', { left: {}, operator: 'gte', right: 18 }],
    ['a row that is no text', { left: { code: 'age', row_code: 1 }, operator: 'gte', right: 18 }],
    ['no value', { left: { code: 'age' }, operator: 'gte' }],
    ['one limit of two', { left: { code: 'age' }, operator: 'between', right: [1] }],
    ['an empty list', { left: { code: 'age' }, operator: 'not_in', right: [] }],
    ['a value that is needless', { left: { code: 'age' }, operator: 'answered', right: 1 }],
    ['an object as its value', { left: { code: 'age' }, operator: 'gte', right: {} }],
    ['alternatives', { connector: 'or', conditions: [{ Q1: ['1'] }, { Q2: ['1'] }] }],
    ['members that are no conditions', { connector: 'and', conditions: [1, null, 'Q1'] }],
  ])('leaves out a condition with %s', (_, condition) => {
    expect(parseFilters(condition)).toEqual([]);
    expect(parseFilters({ connector: 'and', conditions: [condition, { Q1: ['1'] }] })).toEqual([
      anyOf('Q1', ['1']),
    ]);
  });

  it('combines filters and further conditions for the API', () => {
    expect(selectionParameters(DEFAULT_VIEW)).toEqual({ status: 'complete' });
    expect(selectionFilter(DEFAULT_VIEW)).toBeNull();
    const one = { ...VIEW, filters: [anyOf('Q1', ['1'])] };
    expect(selectionParameters(one).filter).toBe('{"Q1":["1"]}');
    expect(selectionFilter(one)).toEqual({ Q1: ['1'] });
    const extra = { left: { type: 'column', code: 'Q6' }, operator: 'answered' };
    expect(
      JSON.parse(selectionParameters({ ...VIEW, filters: [...VIEW.filters, WEIGHT] }, [extra]).filter!),
    ).toEqual({
      connector: 'and',
      conditions: [
        { Q1: ['1', '2'] },
        { Q2: ['a & b'] },
        { left: { type: 'column', code: 'weight' }, operator: 'between', right: ['60', '75.5'] },
        extra,
      ],
    });
  });
});

describe('a changed filter', () => {
  const older: ViewFilter = { ...AGE, operator: 'lte' };

  it('is added, or takes the place of a filter on the same answer', () => {
    expect(withFilter([AGE], ROW, null)).toEqual([AGE, ROW]);
    expect(withFilter([older, ROW], AGE, null)).toEqual([AGE, ROW]);
    expect(withFilter([ROW], { ...ROW, part: 'r1' }, null)).toEqual([ROW, { ...ROW, part: 'r1' }]);
  });

  it('keeps the place of the edited filter', () => {
    expect(withFilter([WHY, ROW], AGE, WHY)).toEqual([AGE, ROW]);
    expect(withFilter([WHY, ROW, older], AGE, WHY)).toEqual([AGE, ROW]);
  });
});
