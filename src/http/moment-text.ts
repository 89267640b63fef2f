import { z } from 'zod';
import { quote } from '../lib/quote.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What replies can say again in ISO 8601 and the database keeps; people write 9999-12-31 for never. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const isoMoment = z.iso.datetime({ offset: true });
const isoDate = z.iso.date();

const momentText = (dayOffsetMs: number) =>
  z
    .string()
    .max(40)
    .transform((value, context) => {
      const isMoment = isoMoment.safeParse(value).success;
      if (isMoment || isoDate.safeParse(value).success) {
        const ms = Date.parse(value) + (isMoment ? 0 : dayOffsetMs);
        if (ms >= FIRST_MS) return new Date(Math.min(ms, LAST_MS));
      }
      context.addIssue({
        code: 'custom',
        message: `must be a date such as 2026-03-01, or a time with its offset such as 2026-03-01T09:30:00Z, not ${quote(value)}`,
      });
      return z.NEVER;
    })
    .meta({ override: { type: 'string', format: 'date-time' } });

/** The first moment that counts; a plain date is the start of that day (UTC). */
export const momentFrom = momentText(0);
/** The first moment that no longer counts; a plain date counts whole. */
export const momentUntil = momentText(DAY_MS);
