/** `21 November 2026`, the day in a time zone. */
export const formatDay = (moment: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone }).format(
    moment,
  );

/** `6 min 30 s`, `1 h 5 min`. */
export function formatDuration(seconds: number): string {
  const totalSeconds = Math.round(seconds);
  const [hours, minutes, rest] = [
    Math.floor(totalSeconds / 3600),
    Math.floor((totalSeconds % 3600) / 60),
    totalSeconds % 60,
  ];
  const parts =
    hours > 0
      ? [`${hours} h`, minutes > 0 && `${minutes} min`]
      : [minutes > 0 && `${minutes} min`, rest > 0 && `${rest} s`];
  return parts.filter((part) => part !== false).join(' ') || '0 s';
}
