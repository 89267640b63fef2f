import { describe, expect, it } from 'vitest';
import {
  DEFAULT_VIEW,
  parseResultsView,
  type ResultsView,
  resultsViewQuery,
  selectionParameters,
} from '../../../../src/web/studio/client/survey/results-view.ts';

const VIEW: ResultsView = {
  status: 'partial',
  filter: { Q1: ['1', '2'], Q2: ['a & b'] },
  compareBy: 'Q3',
};

describe('view of the results', () => {
  it('has no query by default', () => {
    expect(resultsViewQuery(DEFAULT_VIEW)).toBe('');
    expect(parseResultsView('')).toEqual(DEFAULT_VIEW);
  });

  it('survives a trip through the address', () => {
    expect(parseResultsView(resultsViewQuery(VIEW))).toEqual(VIEW);
  });

  it.each([
    ['?status=unknown'],
    ['?filter=%7B%22Q1%22'],
    ['?filter=null'],
    ['?filter=%7B%22Q1%22%3A%5B%5D%7D'],
    ['?filter=%7B%22Q1%22%3A1%7D'],
  ])('shows unfiltered results for the damaged address %s', (search) => {
    expect(parseResultsView(search)).toEqual(DEFAULT_VIEW);
  });

  it('combines filters and further conditions for the API', () => {
    expect(selectionParameters(DEFAULT_VIEW)).toEqual({ status: 'complete' });
    expect(selectionParameters({ ...VIEW, filter: { Q1: ['1'] } }).filter).toBe('{"Q1":["1"]}');
    expect(JSON.parse(selectionParameters(VIEW, [{ operator: 'answered' }]).filter!)).toEqual({
      connector: 'and',
      conditions: [{ Q1: ['1', '2'] }, { Q2: ['a & b'] }, { operator: 'answered' }],
    });
  });
});
