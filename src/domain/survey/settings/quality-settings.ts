import { z } from 'zod';
import { settingsChangesSchema, mergeSettings } from '../../../lib/settings.ts';

const share = z.number().gt(0).max(1);
const count = z.int().min(1).max(1_000_000);

/** Duration under `ratio` times the median, from `min_completes` complete responses on; or, from the first on, under `min_seconds`. */
const speeder = {
  enabled: z.boolean(),
  ratio: share,
  min_seconds: z.number().min(0).max(86_400).nullable(),
  min_completes: count,
};

/** A battery is a matrix's rows, or one of the lists of columns in `batteries`. */
const straightliner = {
  enabled: z.boolean(),
  min_rows: z.int().min(2).max(1_000),
  max_identical_share: share,
  batteries: z
    .array(z.strictObject({ column_codes: z.array(z.string().min(1).max(120)).min(2).max(1_000) }))
    .max(100),
};

const duplicate = {
  enabled: z.boolean(),
  ip: z.boolean(),
  fingerprint: z.boolean(),
  external_id: z.boolean(),
  identical_answers: z.boolean(),
  /** Minimum number of answers for comparing responses, because short responses can be identical by chance; matrix rows count separately. */
  min_identical_answers: count,
  /** Rejects a second response from the same IP address instead of flagging it. */
  block_ip: z.boolean(),
};

/** Uses characters only, so it works for every language. */
const openEnd = {
  enabled: z.boolean(),
  /** Text questions to check; null: all without a format such as email or phone. */
  column_codes: z.array(z.string().min(1).max(120)).min(1).max(1_000).nullable(),
  /** In letters and digits; an ideograph counts as 3, a syllable sign as 2. */
  min_length: z.int().min(0).max(20_000),
  /** Flags texts of symbols only, adjacent keys, repeated units, or a single repeated letter. */
  gibberish: z.boolean(),
  /** Share of letters in runs along a keyboard row. */
  max_keyboard_share: share,
  min_repeats: z.int().min(2).max(1_000),
  max_letter_share: share,
  /** The same text from too many respondents, or in all open answers of one. */
  repeated: z.boolean(),
  /** Share of the respondents who answered the question. */
  max_shared_share: share,
  min_shared: z.int().min(2).max(1_000_000),
  shared_min_length: z.int().min(1).max(20_000),
  min_identical: z.int().min(2).max(1_000),
};

export const attentionCheck = z.strictObject({
  question_id: z.int().positive(),
  /** Matrix: the row to check; absent: all rows. */
  row_code: z.string().min(1).max(48).optional(),
  /** The option_value or values that pass; for a multiple choice, the exact set. */
  expected: z.union([z.string().min(1).max(1_000), z.array(z.string().min(1).max(1_000)).min(1).max(100)]),
});

const attentionChecks = z.array(attentionCheck).max(100);
const action = z.enum(['flag', 'screen_out']);

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
  speeder: { enabled: true, ratio: 0.5, min_seconds: null, min_completes: 10 },
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
