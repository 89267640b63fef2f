import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../../domain/dataset/response-row.ts';

/** Operations on the texts of an open question. */
const TEXT_OPERATIONS = [
  'sentiment',
  'themes',
  'classify',
  'suggest-categories',
  'summarize',
  'translate',
] as const;
export type TextOperation = (typeof TEXT_OPERATIONS)[number];

/** Job kind of a text analysis. */
export const ANALYSIS_JOB = 'analysis';

/** The complete request, as stored with a job. */
export const textRequestSchema = z.strictObject({
  operation: z.enum(TEXT_OPERATIONS),
  questionId: z.int(),
  status: z.array(z.enum(RESPONSE_STATUSES)),
  filter: z.unknown().default(undefined),
  includeTest: z.boolean().nullable(),
  /** Requests queued by earlier versions include confirmed low-quality responses. */
  includeConfirmed: z.boolean().default(true),
  /** null: a language model if one is configured. */
  engine: z.literal('built-in').nullable(),
  /** For `classify`; null: propose categories first. */
  categories: z.array(z.string()).nullable().default(null),
  /** For `translate`: a BCP 47 tag. */
  targetLanguage: z.string().nullable().default(null),
  saveAs: z.strictObject({ columnCode: z.string(), name: z.string().nullable() }).nullable().default(null),
});
export type TextRequest = z.output<typeof textRequestSchema>;
