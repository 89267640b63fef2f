import { z } from 'zod';
import type { RespondentRow } from '../../repositories/respondents.ts';

export const respondentSchema = z
  .strictObject({
    respondent_id: z.int(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    external_id: z.string().nullable().describe('Your own identifier'),
    language: z.string().nullable(),
    attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    opted_out: z.boolean().describe('Receives no emails'),
    last_invited_at: z.iso.datetime().nullable(),
    completed_count: z.int().describe('Complete responses that are neither deleted nor test'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Respondent' });

export const presentRespondent = (row: RespondentRow) => ({
  respondent_id: row.respondent_id,
  email: row.respondent_email,
  name: row.respondent_name,
  external_id: row.external_id,
  language: row.language,
  attributes: row.attributes,
  opted_out: row.opted_out_at !== null,
  last_invited_at: row.last_invited_at?.toISOString() ?? null,
  completed_count: row.completed_count,
  created_at: row.created_at.toISOString(),
});
