/** Seconds by page_id. */
export type PageTimes = Readonly<Record<string, number>>;

/** A tab that stays open overnight says nothing of a page. */
export const MAX_PAGE_SECONDS = 24 * 60 * 60;

/**
 * The times with those of a page added: visits of a page add up. A client's own clock is believed up to the time that passed
 * since the server last heard of the response.
 */
export function withPageTime(
  times: PageTimes | null,
  pageId: number,
  claimedSeconds: number,
  elapsedSeconds: number,
): PageTimes {
  const seconds = Math.min(claimedSeconds, Math.max(0, elapsedSeconds), MAX_PAGE_SECONDS);
  const before = times?.[pageId] ?? 0;
  return { ...times, [pageId]: Math.round((before + seconds) * 1000) / 1000 };
}
