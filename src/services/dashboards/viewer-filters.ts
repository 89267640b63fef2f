import { isRecord } from '../../domain/answers/read-result.ts';
import { mustBe, sizeAtMost, unknownObject } from '../../lib/error-messages.ts';
import { invalid, invalidFields } from '../../lib/errors.ts';
import { isChoices } from './chart-request.ts';
import type { FilterColumns } from './dashboard-content.ts';

/** The filter of a survey's charts; undefined if nothing narrows them. */
export type SurveyFilters = (surveyId: number) => unknown;

/**
 * Filters for viewers without access to the survey: only values of the dashboard's filter elements; throws 400 that lists the invalid ones.
 * An element that is not `multiple` accepts one value, because every combination reveals more about the same respondents. A filter narrows
 * the charts of its element's survey. An empty choice is no filter.
 */
export function restrictedFilters(chosen: unknown, columns: FilterColumns, isFree = false): SurveyFilters {
  const field = 'filters';
  const isNone = chosen === undefined || chosen === null;
  if (!isNone && !isRecord(chosen))
    throw invalid(field, mustBe('values of the dashboard’s filters, such as {"Q1":["1","2"]}', chosen));
  const entries = isNone ? [] : Object.entries(chosen);
  const problems = entries.flatMap(([code, values]) => {
    const filterField = `${field}.${code.slice(0, 60)}`;
    const column = columns.get(code.toLowerCase());
    if (column === undefined)
      return [{ field: filterField, message: unknownObject('filter', code, 'in this dashboard') }];
    if (!isFree && !column.multiple && new Set([values].flat().map(String)).size > 1)
      return [
        { field: filterField, message: sizeAtMost(1, 'value', new Set([values].flat().map(String)).size) },
      ];
    if (![values].flat().every(isValue))
      return [{ field: filterField, message: 'must be a value of the filter, or a list of them' }];
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

/**
 * Filters for callers with access to the survey: any condition. Choices of the dashboard's filters only are handled like those of viewers.
 */
export function unrestrictedFilters(chosen: unknown, columns: FilterColumns): SurveyFilters {
  const codes = isRecord(chosen) ? Object.keys(chosen) : [];
  if (codes.length > 0 && codes.every((code) => columns.has(code.toLowerCase())))
    return restrictedFilters(chosen, columns, true);
  return () => chosen;
}

/** Combines the filters of a request with those of one chart. For the same column the chart's filter wins. */
export function mergeFilters(common: unknown, own: unknown): unknown {
  if (common === undefined || common === null) return own;
  if (own === undefined || own === null) return common;
  if (isChoices(common) && isChoices(own)) return { ...common, ...own };
  return { connector: 'and', conditions: [common, own] };
}

const isValue = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
