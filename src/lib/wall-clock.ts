const UTC = 'UTC';
const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds that clocks of the zone are ahead of UTC at a moment. */
function offsetMs(ms: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric' },
      ...{ day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type)!;
  const shown = new Date(0);
  shown.setUTCFullYear(part('year'), part('month') - 1, part('day'));
  return shown.setUTCHours(part('hour'), part('minute'), part('second')) - Math.floor(ms / 1000) * 1000;
}

/**
 * The moment at which clocks of a zone show a date and time without offset, such as 2026-03-01T09:30:00. Of a time that occurs twice
 * in autumn the first; a time that is skipped in spring is read with the offset before the change. null: no valid date.
 */
export function momentOfWallClock(wallClock: string, timeZone: string): Date | null {
  const asUtc = new Date(`${wallClock}Z`);
  const ms = asUtc.getTime();
  if (Number.isNaN(ms)) return null;
  if (timeZone === UTC) return asUtc;
  const before = offsetMs(ms - DAY_MS, timeZone);
  const after = offsetMs(ms + DAY_MS, timeZone);
  const candidates = [before, after].map((offset) => ms - offset);
  const match = candidates.find((candidate) => candidate + offsetMs(candidate, timeZone) === ms);
  return new Date(match ?? ms - before);
}
