import type { Request } from 'express';
import { FILTER_PREFIX } from './render/filters.ts';
import type { FilterSelection } from './dashboard-content.ts';

/** Value of `page` that selects all pages. */
export const ALL_PAGES = 'all';

/** Upper limit of values per filter; no form of the dashboard sends more. */
const MAX_VALUES = 200;

/** The view that an address selects. The address contains all of it, so a view can be shared. */
export interface PageAddress {
  path: string;
  page: string | null;
  selection: FilterSelection;
  /** Returns the address of the same view with these changes. */
  link(changes: { page?: string; selection?: FilterSelection }): string;
}

export function parsePageAddress(request: Request): PageAddress {
  const path = request.baseUrl + request.path;
  const query = new Map(Object.entries(request.query));
  const selection = new Map<string, string[]>();
  for (const [name, given] of query) {
    if (!name.startsWith(FILTER_PREFIX)) continue;
    const values = [given].flat().filter((value) => typeof value === 'string' && value !== '');
    if (values.length > 0)
      selection.set(name.slice(FILTER_PREFIX.length), (values as string[]).slice(0, MAX_VALUES));
  }
  const given = query.get('page');
  return createPageAddress(
    path,
    typeof given === 'string' && /^(all|\d{1,10})$/.test(given) ? given : null,
    selection,
  );
}

function createPageAddress(path: string, page: string | null, selection: FilterSelection): PageAddress {
  return {
    path,
    page,
    selection,
    link: (changes) => {
      const query = new URLSearchParams();
      const shownPage = changes.page ?? page;
      if (shownPage !== null) query.set('page', shownPage);
      for (const [code, values] of changes.selection ?? selection)
        for (const value of values) query.append(FILTER_PREFIX + code, value);
      const text = query.toString();
      return text === '' ? path : `${path}?${text}`;
    },
  };
}

/** Returns a cache key that does not depend on the order of the parameters. */
export function addressKey({ page, selection }: PageAddress): string {
  const parts = [...selection].map(([code, values]) => [code.toLowerCase(), [...values].sort()]);
  return JSON.stringify([page, parts.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))]);
}
