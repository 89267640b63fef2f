import { z } from 'zod';
import { mergeSettings, settingsChangesSchema } from '../../lib/settings.ts';

const share = z.number().gt(0).max(1);
const count = z.int().min(1).max(1_000_000);

/**
 * Duration under `ratio` times the median, from `min_completes` complete responses on; or, from the first on, under `min_seconds` or
 * `min_seconds_per_question`, so that a survey in which most are too fast has speeders.
 */
const speeder = {
  enabled: z.boolean().describe('Default: true'),
  ratio: share.describe('Flag responses faster than this share of the median duration. Default: 0.5'),
  min_seconds: z
    .number()
    .min(0)
    .max(86_400)
    .nullable()
    .describe('Also flag responses faster than this many seconds; null: no fixed limit. Default: null'),
  min_seconds_per_question: z
    .number()
    .min(0)
    .max(3_600)
    .describe(
      'Also flag responses faster than this many seconds for each question shown, if at least five were shown; 0: no such limit. Default: 1',
    ),
  min_completes: count.describe('Number of complete responses from which `ratio` applies. Default: 10'),
};

/** A battery is a matrix's rows, or one of the lists of columns in `batteries`. */
const straightliner = {
  enabled: z.boolean().describe('Default: true'),
  min_rows: z.int().min(2).max(1_000).describe('Smallest number of answered rows to check. Default: 4'),
  max_identical_share: share.describe(
    'Flag responses whose share of identical answers reaches this value. Default: 1',
  ),
  batteries: z
    .array(
      z
        .strictObject({ column_codes: z.array(z.string().min(1).max(120)).min(2).max(1_000) })
        .meta({ id: 'QualityBattery' }),
    )
    .max(100)
    .describe('Lists of columns to check like the rows of a matrix, besides all matrix questions'),
};

const duplicate = {
  enabled: z.boolean().describe('Default: true'),
  ip: z.boolean().describe('Flag responses from the same IP address. Default: false'),
  fingerprint: z.boolean().describe('Flag responses from the same device. Default: false'),
  external_id: z.boolean().describe('Flag responses with the same `external_id`. Default: true'),
  identical_answers: z.boolean().describe('Flag responses with identical answers. Default: true'),
  min_identical_answers: count.describe(
    'Number of answers from which identical responses are flagged; each row of a matrix counts as one answer. Default: 10',
  ),
  block_ip: z
    .boolean()
    .describe('Reject a second response from the same IP address instead of flagging it. Default: false'),
};

/** Uses characters only, so it works for every language. */
const openEnd = {
  enabled: z.boolean().describe('Default: false'),
  column_codes: z
    .array(z.string().min(1).max(120))
    .min(1)
    .max(1_000)
    .nullable()
    .describe('Text questions to check; null: all without a format such as email or phone. Default: null'),
  min_length: z
    .int()
    .min(0)
    .max(20_000)
    .describe(
      'Flag shorter texts, counted in letters and digits; an ideograph counts as 3, a syllabic character as 2. Default: 3',
    ),
  gibberish: z
    .boolean()
    .describe(
      'Flag texts of punctuation only, runs of adjacent keys, repeated units or a single letter. Default: true',
    ),
  max_keyboard_share: share.describe(
    'gibberish: share of letters in runs of adjacent keys from which a text is flagged. Default: 0.75',
  ),
  min_repeats: z
    .int()
    .min(2)
    .max(1_000)
    .describe('gibberish: number of repetitions of a unit from which a text is flagged. Default: 3'),
  max_letter_share: share.describe(
    'gibberish: share of a single letter from which a text is flagged. Default: 0.7',
  ),
  repeated: z
    .boolean()
    .describe('Flag the same text from many respondents, or in all open answers of one. Default: true'),
  max_shared_share: share.describe(
    'repeated: largest share of the respondents who answered the question with the same text. Default: 0.05',
  ),
  min_shared: z
    .int()
    .min(2)
    .max(1_000_000)
    .describe('repeated: number of respondents from which the same text is flagged. Default: 3'),
  shared_min_length: z
    .int()
    .min(1)
    .max(20_000)
    .describe('repeated: length from which texts are compared between respondents. Default: 20'),
  min_identical: z
    .int()
    .min(2)
    .max(1_000)
    .describe(
      'repeated: number of identical answers of one respondent from which they are flagged. Default: 2',
    ),
};

export const attentionCheck = z.strictObject({
  question_id: z.int().positive(),
  row_code: z
    .string()
    .min(1)
    .max(48)
    .optional()
    .describe('The part to check of a question with parts, such as a row of a matrix. Default: all'),
  expected: z
    .union([z.string().min(1).max(1_000), z.array(z.string().min(1).max(1_000)).min(1).max(100)])
    .describe('The option_value or values that pass; for a multiple choice, all of them together'),
});

const attentionChecks = z.array(attentionCheck).max(100);
const action = z
  .enum(['flag', 'screen_out'])
  .describe('For incoming responses that fail a check: flag them, or screen them out. Default: flag');

export const qualitySettingsSchema = z
  .strictObject({
    speeder: z.strictObject(speeder),
    straightliner: z.strictObject(straightliner),
    duplicate: z.strictObject(duplicate),
    open_end: z.strictObject(openEnd),
    attention_checks: attentionChecks,
    action,
  })
  .meta({ id: 'QualitySettings' });

export const qualitySettingsChangesSchema = settingsChangesSchema({
  speeder: settingsChangesSchema(speeder),
  straightliner: settingsChangesSchema(straightliner),
  duplicate: settingsChangesSchema(duplicate),
  open_end: settingsChangesSchema(openEnd),
  attention_checks: attentionChecks,
  action,
});

export type QualitySettings = z.infer<typeof qualitySettingsSchema>;
export type QualitySettingsChanges = z.infer<typeof qualitySettingsChangesSchema>;

const DEFAULTS: QualitySettings = {
  speeder: { enabled: true, ratio: 0.5, min_seconds: null, min_seconds_per_question: 1, min_completes: 10 },
  straightliner: { enabled: true, min_rows: 4, max_identical_share: 1, batteries: [] },
  duplicate: {
    enabled: true,
    ip: false,
    fingerprint: false,
    external_id: true,
    identical_answers: true,
    min_identical_answers: 10,
    block_ip: false,
  },
  open_end: {
    enabled: false,
    column_codes: null,
    min_length: 3,
    gibberish: true,
    max_keyboard_share: 0.75,
    min_repeats: 3,
    max_letter_share: 0.7,
    repeated: true,
    max_shared_share: 0.05,
    min_shared: 3,
    shared_min_length: 20,
    min_identical: 2,
  },
  attention_checks: [],
  action: 'flag',
};

const SECTIONS = ['speeder', 'straightliner', 'duplicate', 'open_end'] as const;

type Stored = Partial<Record<keyof QualitySettings, Record<string, unknown>>>;

/** Merges stored settings, which hold only changed values, with the defaults. */
export function qualitySettingsOf(stored: unknown): QualitySettings {
  const chosen = stored as Stored;
  const settings: Record<string, unknown> = { ...DEFAULTS, ...chosen };
  for (const section of SECTIONS) settings[section] = { ...DEFAULTS[section], ...chosen[section] };
  return settings as QualitySettings;
}

/** Changes only the given keys of a section; null resets a section, or all settings, to the defaults. */
export function changeQualitySettings(
  stored: unknown,
  changes: QualitySettingsChanges | null,
): Record<string, unknown> {
  if (changes === null) return {};
  const before = stored as Stored;
  const merged: Record<string, unknown> = { ...changes };
  for (const section of SECTIONS) {
    const change = changes[section];
    if (change) merged[section] = mergeSettings(before[section] ?? {}, change);
  }
  return mergeSettings(before, merged);
}

/** Stored quality settings refer to questions only in `attention_checks[].question_id`. */
type StoredSettings = Readonly<Record<string, unknown>>;
interface StoredCheck {
  question_id: number;
}

/** Returns the ids of the questions with attention checks, in order. */
export function attentionCheckQuestions(settings: StoredSettings): number[] {
  return checksOf(settings)?.map((check) => check.question_id) ?? [];
}

/** Returns the settings without checks of deleted questions. */
export function removeAttentionChecks(
  settings: StoredSettings,
  isDeleted: (questionId: number) => boolean,
): StoredSettings {
  const checks = checksOf(settings);
  return checks
    ? { ...settings, attention_checks: checks.filter((check) => !isDeleted(check.question_id)) }
    : settings;
}

/** Returns the settings with new question ids; every question id must be in the map. */
export function remapAttentionChecks(
  settings: StoredSettings,
  questionIds: ReadonlyMap<number, number>,
): StoredSettings {
  const checks = checksOf(settings);
  if (!checks) return settings;
  const moved = checks.map((check) => {
    const id = questionIds.get(check.question_id);
    if (id === undefined) throw new Error(`No new id for question ${check.question_id}`);
    return { ...check, question_id: id };
  });
  return { ...settings, attention_checks: moved };
}

function checksOf(settings: StoredSettings): StoredCheck[] | null {
  return Array.isArray(settings.attention_checks) ? (settings.attention_checks as StoredCheck[]) : null;
}
