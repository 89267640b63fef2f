import { z } from 'zod';
import { qualityStatus, REVIEW_STATES, reviewState } from '../../../domain/quality/flag-review.ts';
import { FLAG_SOURCES, type ResponseQuality, type StoredFlag } from '../../../domain/quality/quality-flag.ts';

const measure = z.union([z.number(), z.string()]).nullable();

export const flagSchema = z
  .strictObject({
    check: z.enum(FLAG_SOURCES).describe('`manual`: a person marked the response'),
    severity: z.enum(['low', 'medium', 'high']),
    metric: z.string(),
    value: measure,
    threshold: measure,
    column_codes: z.array(z.string()).describe('Where it was seen; empty: the response as a whole'),
    measures: z.record(z.string(), z.number().nullable()).optional().describe('Further figures of the check'),
    review: z.enum(REVIEW_STATES),
    reviewed_by: z.int().nullable().describe('A user_id'),
    reviewed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'QualityFlag' });

export const qualitySchema = z
  .strictObject({ flags: z.array(flagSchema), status: z.enum(REVIEW_STATES) })
  .describe('Confirmed if one of its flags is, else pending if one is, else dismissed');

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
