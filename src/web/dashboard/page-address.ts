import type { Request } from 'express';
import { FILTER_PREFIX } from './render/filters.ts';
import type { Chosen } from './shown-dashboard.ts';

/** Value of `page` that selects all pages. */
export const ALL_PAGES = 'all';

/** Upper limit of values per filter; no form of the dashboard sends more. */
const MAX_VALUES = 200;

/** The view that an address selects. The address contains all of it, so a view can be shared. */
export interface PageAddress {
  path: string;
  page: string | null;
  chosen: Chosen;
  /** Returns the address of the same view with these changes. */
  link(changes: { page?: string; chosen?: Chosen }): string;
}

export function parsePageAddress(request: Request): PageAddress {
  const path = request.baseUrl + request.path;
  const query = new Map(Object.entries(request.query));
  const chosen = new Map<string, string[]>();
  for (const [name, given] of query) {
    if (!name.startsWith(FILTER_PREFIX)) continue;
    const values = [given].flat().filter((value) => typeof value === 'string' && value !== '');
    if (values.length > 0)
      chosen.set(name.slice(FILTER_PREFIX.length), (values as string[]).slice(0, MAX_VALUES));
  }
  const given = query.get('page');
  return addressOf(path, typeof given === 'string' && /^(all|\d{1,10})$/.test(given) ? given : null, chosen);
}

function addressOf(path: string, page: string | null, chosen: Chosen): PageAddress {
  return {
    path,
    page,
    chosen,
    link: (changes) => {
      const query = new URLSearchParams();
      const shown = changes.page ?? page;
      if (shown !== null) query.set('page', shown);
      for (const [code, values] of changes.chosen ?? chosen)
        for (const value of values) query.append(FILTER_PREFIX + code, value);
      const text = query.toString();
      return text === '' ? path : `${path}?${text}`;
    },
  };
}

/** Returns a cache key that does not depend on the order of the parameters. */
export function addressKey({ page, chosen }: PageAddress): string {
  const parts = [...chosen].map(([code, values]) => [code.toLowerCase(), [...values].sort()]);
  return JSON.stringify([page, parts.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))]);
}
