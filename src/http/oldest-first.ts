import { newestFirst } from './newest-first.ts';

/** A part of a long list whose ids grow with time, the oldest first: those after `afterId`, after `skip` of them. */
export interface OldestFirst {
  afterId: number | null;
  skip: number;
  limit: number;
}

/** Its page is made by pageOfNewest: a cursor is the last id of the page before, whichever way the list goes. */
export function oldestFirst(query: Parameters<typeof newestFirst>[0]): OldestFirst {
  const { beforeId: afterId, ...part } = newestFirst(query);
  return { afterId, ...part };
}
