import { z } from 'zod';

const DAY_MS = 24 * 60 * 60 * 1000;
const isoMoment = z.iso.datetime({ offset: true });
const isoDate = z.iso.date();

const momentText = (dayOffsetMs: number) =>
  z
    .string()
    .max(40)
    .transform((value, context) => {
      if (isoMoment.safeParse(value).success) return new Date(value);
      if (isoDate.safeParse(value).success) return new Date(Date.parse(value) + dayOffsetMs);
      context.addIssue({
        code: 'custom',
        message: 'must be a date such as 2026-03-01, or a time with its offset such as 2026-03-01T09:30:00Z',
      });
      return z.NEVER;
    })
    .meta({ override: { type: 'string', format: 'date-time' } });

/** The first moment that counts; a plain date is the start of that day (UTC). */
export const momentFrom = momentText(0);
/** The first moment that no longer counts; a plain date counts whole. */
export const momentUntil = momentText(DAY_MS);
