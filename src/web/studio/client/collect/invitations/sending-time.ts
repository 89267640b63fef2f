/** The time zone of the browser, in which authors choose times. */
export const timeZoneName = Intl.DateTimeFormat().resolvedOptions().timeZone;

const format = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** `Tue, 1 December 2026 at 09:30 (Europe/Berlin)`. */
export const timeInWords = (time: string): string => `${format.format(new Date(time))} (${timeZoneName})`;
