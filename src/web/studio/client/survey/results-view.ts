import { OPERATORS } from '../../../../domain/questions/condition.ts';
import { arityOf, takesList, takesRange, takesValue } from '../question-types/operators.ts';
import type { Operator } from '../question-types/question-type.ts';

export const STATUS_FILTERS = ['complete', 'partial', 'screened_out', 'all'] as const;

type StatusFilter = (typeof STATUS_FILTERS)[number];

/** What a response has to match. */
export interface ViewFilter {
  /** Code of a question or of another column. */
  code: string;
  /** A part of the answer, such as a row of a matrix. */
  part: string | null;
  operator: Operator;
  /** As texts: none, one, two with `between`, or any number for a list. */
  values: readonly string[];
}

/**
 * Which of the responses with a status are shown. `counted`: those that figures count. `with_tests`: also test responses. Lists have all,
 * or a part of them: `tests`, or those `left_out` because of a confirmed quality flag.
 */
const SCOPES = ['counted', 'with_tests', 'all', 'left_out', 'tests'] as const;

export type Scope = (typeof SCOPES)[number];

/** Which responses the results count, and how they are split. It is in the query of the address, so that a link shares it. */
export interface ResultsView {
  status: StatusFilter;
  scope: Scope;
  /** A response has to match all of them. */
  filters: readonly ViewFilter[];
  /** Code of the question whose options become columns. */
  compareBy: string | null;
  /** Code of the weight of the figures; null: they are unweighted. */
  weight: string | null;
}

export const DEFAULT_VIEW: ResultsView = {
  status: 'complete',
  scope: 'counted',
  filters: [],
  compareBy: null,
  weight: null,
};

/** A filter for one of the values. */
export const anyOf = (code: string, values: readonly string[]): ViewFilter => ({
  code,
  part: null,
  operator: 'in',
  values,
});

/** Whether both filters ask for the same answer or part of it. */
export const haveSameTarget = (
  a: Pick<ViewFilter, 'code' | 'part'>,
  b: Pick<ViewFilter, 'code' | 'part'>,
): boolean => a.code === b.code && a.part === b.part;

/** Adds a filter, or puts it in the place of `replaced`. Other filters on the same answer are removed. */
export function withFilter(
  filters: readonly ViewFilter[],
  added: ViewFilter,
  replaced: ViewFilter | null,
): ViewFilter[] {
  const previous = replaced ?? filters.find((each) => haveSameTarget(each, added));
  const place = previous === undefined ? -1 : filters.indexOf(previous);
  const changed = place < 0 ? [...filters, added] : filters.with(place, added);
  return changed.filter((each) => each === added || !haveSameTarget(each, added));
}

const isStatus = (text: string | null): text is StatusFilter =>
  (STATUS_FILTERS as readonly (string | null)[]).includes(text);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** Reads the short form of a condition, such as `{"Q1": ["1", "2"]}`. */
const readShortForm = (condition: Record<string, unknown>): ViewFilter[] =>
  Object.entries(condition).flatMap(([code, values]) =>
    Array.isArray(values) && values.length > 0 && values.every(isScalar)
      ? [anyOf(code, values.map(String))]
      : [],
  );

function readComparison({ left, operator: written, right }: Record<string, unknown>): ViewFilter[] {
  const operator = OPERATORS.find((each) => each === written);
  if (operator === undefined || !isObject(left) || typeof left.code !== 'string') return [];
  const { code, row_code: part = null } = left;
  if (part !== null && typeof part !== 'string') return [];
  const values = right === undefined ? [] : [right].flat();
  const isComplete = {
    none: values.length === 0,
    one: values.length === 1,
    range: values.length === 2,
    list: values.length > 0,
  }[arityOf(operator)];
  return isComplete && values.every(isScalar) ? [{ code, part, operator, values: values.map(String) }] : [];
}

/** Reads a condition in the form of the API. Parts that the studio cannot show are left out. */
function readCondition(condition: unknown): ViewFilter[] {
  if (!isObject(condition)) return [];
  if ('conditions' in condition) {
    const { connector = 'and', conditions } = condition;
    return connector === 'and' && Array.isArray(conditions) ? conditions.flatMap(readCondition) : [];
  }
  return 'operator' in condition ? readComparison(condition) : readShortForm(condition);
}

function parseFilters(text: string | null): readonly ViewFilter[] {
  if (text === null) return [];
  try {
    return readCondition(JSON.parse(text));
  } catch {
    // A truncated or edited address shows unfiltered results.
    return [];
  }
}

/** Reads the query of an address. Unknown or damaged parts have their defaults. */
export function parseResultsView(search: string, defaults = DEFAULT_VIEW): ResultsView {
  const query = new URLSearchParams(search);
  const status = query.get('status');
  return {
    status: isStatus(status) ? status : defaults.status,
    scope: SCOPES.find((each) => each === query.get('show')) ?? defaults.scope,
    filters: parseFilters(query.get('filter')),
    compareBy: query.get('compare'),
    weight: query.get('weight'),
  };
}

const hasShortForm = ({ part, operator }: ViewFilter): boolean => part === null && operator === 'in';

/** A condition in the form of the API. */
type ConditionBody = Record<string, unknown>;

/** The filter in the form of the API. */
function toCondition(filter: ViewFilter): ConditionBody {
  const { code, part, operator, values } = filter;
  if (hasShortForm(filter)) return { [code]: values };
  const left = { type: 'column', code, ...(part === null ? {} : { row_code: part }) };
  if (!takesValue(operator)) return { left, operator };
  return { left, operator, right: takesList(operator) || takesRange(operator) ? values : values[0] };
}

/** One condition that is true if all are; null if there are none. */
function combine(conditions: readonly ConditionBody[]): ConditionBody | null {
  const [first = null, ...others] = conditions;
  return others.length === 0 ? first : { connector: 'and', conditions };
}

/** The filters as a short text: chosen values by code where that is enough. */
function filterText(filters: readonly ViewFilter[]): string {
  const codes = new Set(filters.map(({ code }) => code));
  const isShort = filters.every(hasShortForm) && codes.size === filters.length;
  return JSON.stringify(
    isShort
      ? Object.fromEntries(filters.map(({ code, values }) => [code, values]))
      : combine(filters.map(toCondition)),
  );
}

/** Returns the query of an address with its question mark; empty for the default view. */
export function resultsViewQuery(
  { status, scope, filters, compareBy, weight }: ResultsView,
  defaults = DEFAULT_VIEW,
): string {
  const query = new URLSearchParams();
  if (status !== defaults.status) query.set('status', status);
  if (scope !== defaults.scope) query.set('show', scope);
  if (filters.length > 0) query.set('filter', filterText(filters));
  if (compareBy !== null) query.set('compare', compareBy);
  if (weight !== null) query.set('weight', weight);
  return query.size === 0 ? '' : `?${query.toString()}`;
}

const metadata = (code: string, operator: string, right: unknown): ConditionBody => ({
  left: { type: 'column', code },
  operator,
  right,
});

/** The parts of a list as conditions, so that everything done with the list concerns the same responses. */
const SCOPE_CONDITIONS: Readonly<Partial<Record<Scope, readonly ConditionBody[]>>> = {
  left_out: [metadata('quality_status', 'in', ['confirmed'])],
  tests: [metadata('is_test', 'equals', 1)],
};

/** Returns the filters of the view and further conditions as `filter` of a request body; null without any. */
export const selectionFilter = (
  { filters, scope }: ResultsView,
  extraConditions: readonly ConditionBody[] = [],
): ConditionBody | null =>
  combine([...filters.map(toCondition), ...(SCOPE_CONDITIONS[scope] ?? []), ...extraConditions]);

/** Selects in a list the responses that figures count. `areTestsCounted`: whether there are only test responses. */
export const countedConditions = (areTestsCounted: boolean): readonly ConditionBody[] => [
  metadata('quality_status', 'not_in', ['confirmed']),
  ...(areTestsCounted ? [] : [metadata('is_test', 'equals', 0)]),
];

/** Returns `include_test` and `quality` as fields of the API. Without a field, the API counts what its figures count. */
export function inclusionOf({ scope }: Pick<ResultsView, 'scope'>): {
  include_test?: boolean;
  quality?: 'include_all';
} {
  if (scope === 'counted') return {};
  return scope === 'with_tests' ? { include_test: true } : { include_test: true, quality: 'include_all' };
}

/** Returns `status`, `filter` and what is included as query fields of the API. `extraConditions` apply in addition to the filters. */
export function selectionParameters(
  view: ResultsView,
  extraConditions: readonly ConditionBody[] = [],
): { status: string; filter?: string; include_test?: boolean; quality?: 'include_all' } {
  const filter = selectionFilter(view, extraConditions);
  return {
    status: view.status,
    ...(filter === null ? {} : { filter: JSON.stringify(filter) }),
    ...inclusionOf(view),
  };
}
