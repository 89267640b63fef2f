import type { UpdateWindow } from '../../domain/dataset/update-window.ts';
import { notFound } from '../../lib/errors.ts';
import { getTimeZone } from '../../lib/time-zone.ts';
import type { Store } from '../../repositories/store.ts';

/**
 * Resolves the window of changes that a client requests. Call it before reading the responses: everything written before the end of the
 * window is then visible. `untilMs` null: the latest possible end; else the end that the first page of the same window had. Response times
 * of an anonymous survey are shown as days (in its time zone), so its windows are whole days: today's changes appear tomorrow.
 */
export async function resolveUpdateWindow(
  store: Store,
  surveyId: number,
  { sinceMs, untilMs }: { sinceMs: number | null; untilMs: number | null },
): Promise<UpdateWindow> {
  const watermark = await store.read.commitWatermark.find(surveyId);
  if (watermark === null) throw notFound('survey');
  const { day_zone: zone } = watermark;
  const rounded = (ms: number) => (zone === null ? ms : getTimeZone(zone).startOfDayMs(ms));
  const since = sinceMs === null ? null : rounded(sinceMs);
  const until = rounded(untilMs ?? watermark.until_ms);
  // A long-running transaction may move the end before the start: the window is then empty, and the next one contains its changes.
  return { sinceMs: since, untilMs: Math.max(until, since ?? until) };
}
