import { isRecord } from '../../domain/answers/read-result.ts';
import { invalid, invalidFields } from '../../lib/errors.ts';
import { quote } from '../../lib/quote.ts';
import { isChoices } from './chart-request.ts';
import type { FilterColumns } from './dashboard-content.ts';

/** For a chart of one survey: undefined where nothing narrows it. */
export type SurveyFilters = (surveyId: number) => unknown;

/**
 * Filters for whoever sees no more than the dashboard: values of its own filter elements and nothing else, 400 naming each that is none.
 * Of an element that is not `multiple` one value: every further combination is a further view of the same people.
 * A filter narrows the charts of its element's survey. A choice of nothing is no filter.
 */
export function restrictedFilters(chosen: unknown, columns: FilterColumns, isFree = false): SurveyFilters {
  const field = 'filters';
  const isNone = chosen === undefined || chosen === null;
  if (!isNone && !isRecord(chosen))
    throw invalid(field, 'must be values of the dashboard’s filters, such as {"Q1":["1","2"]}');
  const entries = isNone ? [] : Object.entries(chosen);
  const problems = entries.flatMap(([code, values]) => {
    const place = `${field}.${code.slice(0, 60)}`;
    const column = columns.get(code.toLowerCase());
    if (column === undefined)
      return [{ field: place, message: `the dashboard has no filter for ${quote(code)}` }];
    if (!isFree && !column.multiple && new Set([values].flat().map(String)).size > 1)
      return [{ field: place, message: 'the filter takes one value' }];
    if (![values].flat().every(isValue))
      return [{ field: place, message: 'must be a value of the filter, or a list of them' }];
    return [];
  });
  if (problems.length > 0) throw invalidFields(problems);
  return (surveyId) => {
    const own = entries.filter(
      ([code, values]) =>
        columns.get(code.toLowerCase())!.surveys.has(surveyId) &&
        !(Array.isArray(values) && values.length === 0),
    );
    return own.length === 0 ? undefined : Object.fromEntries(own);
  };
}

/** For whoever sees the survey: any condition; but where all of it are choices of the dashboard's filters, it is taken as above. */
export function unrestrictedFilters(chosen: unknown, columns: FilterColumns): SurveyFilters {
  const codes = isRecord(chosen) ? Object.keys(chosen) : [];
  if (codes.length > 0 && codes.every((code) => columns.has(code.toLowerCase())))
    return restrictedFilters(chosen, columns, true);
  return () => chosen;
}

/** The filters of a whole request and those of one chart in it: both hold, but of one column the chart's own. */
export function mergeFilters(common: unknown, own: unknown): unknown {
  if (common === undefined || common === null) return own;
  if (own === undefined || own === null) return common;
  if (isChoices(common) && isChoices(own)) return { ...common, ...own };
  return { connector: 'and', conditions: [common, own] };
}

const isValue = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
