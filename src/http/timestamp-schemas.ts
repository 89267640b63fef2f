import { z } from 'zod';
import { quote } from '../lib/error-messages.ts';
import type { TimeZone } from '../lib/time-zone.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The range that both ISO 8601 replies and the database support. 9999-12-31 is a common value for "never". */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const TIMESTAMP_META = { override: { type: 'string', format: 'date-time' } } as const;
const isoTimestamp = z.iso.datetime({ offset: true });
const isoDate = z.iso.date();

/** A date without a time, as the start of that day in UTC. */
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

/** Inclusive start of a range; a plain date means the start of that day (UTC). */
export const startTimestamp = timestampSchema(0);
/** Exclusive end of a range; a plain date includes the whole day (UTC). */
export const endTimestamp = timestampSchema(DAY_MS);

/** A timestamp of a survey: `resolveStart` and `resolveEnd` convert a plain date in the time zone of the survey. */
export const surveyTimestamp = dateOrTimestamp;
type SurveyTimestamp<Absent> = z.output<typeof dateOrTimestamp> | Absent;

/** Returns the inclusive start of a range. */
export const resolveStart = <Absent extends null | undefined>(
  value: SurveyTimestamp<Absent>,
  zone: TimeZone,
) => resolveInZone(value, zone, 0);

/** Returns the exclusive end of a range; a plain date includes the whole day. */
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
