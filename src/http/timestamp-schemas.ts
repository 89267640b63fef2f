import { z } from 'zod';
import { quote } from '../lib/quote.ts';
import type { TimeZone } from '../lib/time-zone.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What replies can say again in ISO 8601 and the database keeps; people write 9999-12-31 for never. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const TIMESTAMP_META = { override: { type: 'string', format: 'date-time' } } as const;
const isoTimestamp = z.iso.datetime({ offset: true });
const isoDate = z.iso.date();

/** A day as it was written, by the time at which it begins in UTC. */
interface PlainDate {
  startMs: number;
}

const dateOrTimestamp = z
  .string()
  .max(40)
  .transform((value, context): Date | PlainDate => {
    const isTimestamp = isoTimestamp.safeParse(value).success;
    if (isTimestamp || isoDate.safeParse(value).success) {
      const ms = Date.parse(value);
      if (ms >= FIRST_MS) return isTimestamp ? new Date(Math.min(ms, LAST_MS)) : { startMs: ms };
    }
    context.addIssue({
      code: 'custom',
      message: `must be a date such as 2026-03-01, or a time with its offset such as 2026-03-01T09:30:00Z, not ${quote(value)}`,
    });
    return z.NEVER;
  })
  .meta(TIMESTAMP_META);

const timestampSchema = (dayOffsetMs: number) =>
  dateOrTimestamp
    .transform((value) =>
      value instanceof Date ? value : new Date(Math.min(value.startMs + dayOffsetMs, LAST_MS)),
    )
    .meta(TIMESTAMP_META);

/** The first moment that counts; a plain date is the start of that day (UTC). */
export const startTimestamp = timestampSchema(0);
/** The first moment that no longer counts; a plain date counts whole. */
export const endTimestamp = timestampSchema(DAY_MS);

/** The same of a survey: a plain date is a day of its time zone, which `startInZone` and `endInZone` make a moment of. */
export const surveyTimestamp = dateOrTimestamp;
type SurveyTimestamp<Absent> = z.output<typeof dateOrTimestamp> | Absent;

/** The first moment that counts. */
export const resolveStart = <Absent extends null | undefined>(
  value: SurveyTimestamp<Absent>,
  zone: TimeZone,
) => resolveInZone(value, zone, 0);

/** The first moment that no longer counts. */
export const resolveEnd = <Absent extends null | undefined>(value: SurveyTimestamp<Absent>, zone: TimeZone) =>
  resolveInZone(value, zone, DAY_MS);

function resolveInZone<Absent extends null | undefined>(
  value: SurveyTimestamp<Absent>,
  zone: TimeZone,
  dayOffsetMs: number,
): Date | Absent {
  if (value === null || value === undefined || value instanceof Date) return value;
  const ms = zone.instantMs(value.startMs + dayOffsetMs);
  return new Date(Math.max(FIRST_MS, Math.min(ms, LAST_MS)));
}
