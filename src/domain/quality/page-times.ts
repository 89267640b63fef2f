/** Seconds by page_id. */
export type PageTimes = Readonly<Record<string, number>>;

/** Limits the time of a page left open overnight. */
export const MAX_PAGE_SECONDS = 24 * 60 * 60;

/**
 * Adds the time of a page; repeated visits add up. The client's time is limited to `leftSeconds`, the time since the response started
 * that is not recorded for other pages.
 */
export function addPageTime(
  times: PageTimes | null,
  pageId: number,
  claimedSeconds: number,
  leftSeconds: number,
): PageTimes {
  const seconds = Math.min(claimedSeconds, Math.max(0, leftSeconds), MAX_PAGE_SECONDS);
  const before = times?.[pageId] ?? 0;
  return { ...times, [pageId]: Math.round((before + seconds) * 1000) / 1000 };
}
