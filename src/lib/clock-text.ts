/** Formats seconds since midnight as `HH:mm:ss`, with milliseconds if it has some. */
export function formatClock(seconds: number): string {
  return new Date(Math.round(seconds * 1000))
    .toISOString()
    .slice(11, 23)
    .replace(/\.000$/, '');
}
