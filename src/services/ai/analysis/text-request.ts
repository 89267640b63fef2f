import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../../domain/dataset/response-row.ts';

/** What can be done with the texts of an open question. */
const TEXT_OPERATIONS = [
  'sentiment',
  'themes',
  'classify',
  'suggest-categories',
  'summarize',
  'translate',
] as const;
export type TextOperation = (typeof TEXT_OPERATIONS)[number];

/** The kind of job that does it. */
export const ANALYSIS_JOB = 'analysis';

/** Everything that an operation depends on, as a job keeps it. */
export const textRequestSchema = z.strictObject({
  operation: z.enum(TEXT_OPERATIONS),
  questionId: z.int(),
  status: z.array(z.enum(RESPONSE_STATUSES)),
  filter: z.unknown().default(undefined),
  includeTest: z.boolean().nullable(),
  /** Requests that were queued by earlier versions read every response. */
  includeConfirmed: z.boolean().default(true),
  /** null: a language model where there is one. */
  engine: z.literal('built-in').nullable(),
  /** Of `classify`; null: proposed first. */
  categories: z.array(z.string()).nullable().default(null),
  /** Of `translate`: a BCP 47 tag. */
  targetLanguage: z.string().nullable().default(null),
  saveAs: z.strictObject({ columnCode: z.string(), name: z.string().nullable() }).nullable().default(null),
});
export type TextRequest = z.output<typeof textRequestSchema>;
