export const STATUS_FILTERS = ['complete', 'partial', 'screened_out', 'all'] as const;

type StatusFilter = (typeof STATUS_FILTERS)[number];

/** Which responses the results count, and how they are split. It is in the query of the address, so that a link shares it. */
export interface ResultsView {
  status: StatusFilter;
  /** Selected option values by question code. A response has to match every question, with any of its values. */
  filter: Readonly<Record<string, readonly string[]>>;
  /** Code of the question whose options become columns. */
  compareBy: string | null;
}

export const DEFAULT_VIEW: ResultsView = { status: 'complete', filter: {}, compareBy: null };

const isStatus = (text: string | null): text is StatusFilter =>
  (STATUS_FILTERS as readonly (string | null)[]).includes(text);

function parseFilter(text: string | null): ResultsView['filter'] {
  if (text === null) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return {};
    return Object.fromEntries(
      Object.entries(parsed).flatMap(([code, values]: [string, unknown]) =>
        Array.isArray(values) && values.length > 0 ? [[code, values.map(String)]] : [],
      ),
    );
  } catch {
    // A truncated or edited address shows unfiltered results.
    return {};
  }
}

/** Reads the query of an address. Unknown or damaged parts have their defaults. */
export function parseResultsView(search: string): ResultsView {
  const query = new URLSearchParams(search);
  const status = query.get('status');
  return {
    status: isStatus(status) ? status : DEFAULT_VIEW.status,
    filter: parseFilter(query.get('filter')),
    compareBy: query.get('compare'),
  };
}

/** Returns the query of an address with its question mark; empty for the default view. */
export function resultsViewQuery({ status, filter, compareBy }: ResultsView): string {
  const query = new URLSearchParams();
  if (status !== DEFAULT_VIEW.status) query.set('status', status);
  if (Object.keys(filter).length > 0) query.set('filter', JSON.stringify(filter));
  if (compareBy !== null) query.set('compare', compareBy);
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** The conditions of the filter in the form of the API. */
const filterConditions = ({ filter }: ResultsView): object[] =>
  Object.entries(filter).map(([code, values]) => ({ [code]: values }));

/** Returns `status` and `filter` as query fields of the API. `extraConditions` apply in addition to the filter. */
export function selectionParameters(
  view: ResultsView,
  extraConditions: readonly object[] = [],
): { status: string; filter?: string } {
  const conditions = [...filterConditions(view), ...extraConditions];
  if (conditions.length === 0) return { status: view.status };
  const filter = conditions.length === 1 ? conditions[0] : { connector: 'and', conditions };
  return { status: view.status, filter: JSON.stringify(filter) };
}
