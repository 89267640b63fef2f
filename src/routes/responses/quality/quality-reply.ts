import { z } from 'zod';
import {
  FLAG_SOURCES,
  qualityStatus,
  type ResponseQuality,
  REVIEW_STATES,
  reviewState,
  type StoredFlag,
} from '../../../domain/quality/quality-flag.ts';

const measure = z.union([z.number(), z.string()]).nullable();

export const flagSchema = z
  .strictObject({
    check: z.enum(FLAG_SOURCES).describe('`manual`: set by a user'),
    severity: z.enum(['low', 'medium', 'high']),
    metric: z.string(),
    value: measure,
    threshold: measure,
    column_codes: z.array(z.string()).describe('Affected columns; empty: the whole response'),
    measures: z
      .record(z.string(), z.number().nullable())
      .optional()
      .describe('Further measures of the check'),
    review: z.enum(REVIEW_STATES),
    reviewed_by: z.int().nullable().describe('A user_id'),
    reviewed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'QualityFlag' });

export const qualitySchema = z
  .strictObject({ flags: z.array(flagSchema), status: z.enum(REVIEW_STATES) })
  .describe(
    'Confirmed if one of the flags is confirmed, otherwise pending if one is pending, otherwise dismissed',
  );

export function presentFlag(flag: StoredFlag): z.input<typeof flagSchema> {
  return {
    ...flag,
    review: reviewState(flag),
    reviewed_by: flag.reviewed_by ?? null,
    reviewed_at: flag.reviewed_at ?? null,
  };
}

/** null: no flags. */
export function presentQuality(quality: ResponseQuality | null): z.input<typeof qualitySchema> | null {
  const status = qualityStatus(quality);
  return quality === null || status === null ? null : { flags: quality.flags.map(presentFlag), status };
}
