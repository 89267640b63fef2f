import { ApiError } from '../../../../shared/client/api.ts';
import { Field } from '../../../../shared/client/fields.tsx';
import { texts } from '../../../texts.ts';

const t = texts.invitations;

/** The time zone of the browser, in which authors choose times. */
const timeZoneName = Intl.DateTimeFormat().resolvedOptions().timeZone;

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

/** A time in the time zone of the browser, as fields have it: `2026-12-01T09:30`. */
const localTime = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** The date and time at which emails are sent; empty: at once. */
export const SendingTimeField = () => (
  <Field
    name="send_at"
    type="datetime-local"
    label={t.sendAt}
    hint={t.sendAtHint(timeZoneName)}
    min={localTime(new Date())}
  />
);

/** Returns what the form has in the field. Throws ApiError at the field for a time that has passed. */
export function readSendingTime(values: ReadonlyMap<string, string>): { send_at?: string } {
  const text = values.get('send_at') ?? '';
  if (text.trim() === '') return {};
  const time = new Date(text);
  if (Number.isNaN(time.getTime()) || time <= new Date())
    throw new ApiError('rejected', { problems: [{ field: 'send_at', message: t.pastTime }] });
  return { send_at: time.toISOString() };
}
