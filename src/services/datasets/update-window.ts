import type { UpdateWindow } from '../../domain/dataset/update-window.ts';
import { notFound } from '../../lib/errors.ts';
import { timeZoneNamed } from '../../lib/time-zone.ts';
import type { Store } from '../../repositories/store.ts';

/**
 * The window that a reader asks for. To be made before the responses are read: whatever was written before its end is there then.
 * `untilMs` null: as late as can be; else the end that the first page of the same window had. The times of an anonymous
 * survey's responses are shown as days (of its time zone), so its windows are whole days: a change of today appears tomorrow.
 */
export async function updateWindow(
  store: Store,
  surveyId: number,
  { sinceMs, untilMs }: { sinceMs: number | null; untilMs: number | null },
): Promise<UpdateWindow> {
  const settled = await store.read.settledMoments.of(surveyId);
  if (settled === null) throw notFound('survey');
  const { day_zone: zone } = settled;
  const told = (ms: number) => (zone === null ? ms : timeZoneNamed(zone).startOfDayMs(ms));
  const since = sinceMs === null ? null : told(sinceMs);
  const until = told(untilMs ?? settled.until_ms);
  // While something old is still running, the end may lie before the beginning: then nothing is told yet, and nothing is lost.
  return { sinceMs: since, untilMs: Math.max(until, since ?? until) };
}
