/** Seconds by page_id. */
export type PageTimes = Readonly<Record<string, number>>;

/** A tab that stays open overnight says nothing of a page. */
export const MAX_PAGE_SECONDS = 24 * 60 * 60;

/**
 * The times with those of a page added: visits of a page add up. A client's own clock is believed up to `leftSeconds`: what
 * passed since the response began and is not another page's.
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
