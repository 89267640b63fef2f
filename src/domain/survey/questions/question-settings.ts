import { z } from 'zod';
import { MEASURES } from '../../dataset/columns/column-spec.ts';
import type { QuestionType } from './question-types.ts';
import { questionLogicSchema } from '../logic/logic-schema.ts';
import { languageTagText } from './question-translations.ts';
import { jsonValue } from '../../../lib/json-value.ts';

const text = (max = 500) => z.string().max(max);
const finite = z.number();

const variableName = z.string().min(1).max(64);
const variableFormat = z.strictObject({
  type: z.int().min(0).max(255),
  width: z.int().min(0).max(255),
  decimals: z.int().min(0).max(255),
});
const measure = z.enum(MEASURES);

/** The original variable in the imported statistics file, which exports restore. */
const importedVariable = z
  .strictObject({
    name: variableName,
    label: text(255).nullable(),
    kind: z.enum(['number', 'string', 'date', 'datetime', 'time']).optional(),
    format: variableFormat.optional(),
    measure: measure.nullish(),
    missing: z
      .array(z.union([z.string(), finite]))
      .max(100)
      .optional(),
    missing_range: z.strictObject({ low: finite, high: finite }).nullish(),
    /** The weight variable of the file; not an answer of a respondent. */
    is_weight: z.boolean().optional(),
    /** Multiple choice: the value that means chosen, and the variables. */
    counted: text().optional(),
    members: z
      .array(
        z.strictObject({
          option_code: z.int(),
          name: variableName,
          label: text(255).nullable(),
          format: variableFormat,
          /** The value that means not chosen. */
          other: finite,
        }),
      )
      .max(1_000)
      .optional(),
  })
  .meta({
    id: 'ImportedVariable',
    description:
      'Properties of the variable in the statistics file that the question was imported from; exports write them again',
  });

/** Settings of every question type. */
const common = {
  variable: importedVariable.optional(),
  description: text(5_000).nullable().default(null).describe('Shown below the question text'),
  placeholder: text().nullable().default(null).describe('Shown in an empty input'),
  shuffle: z
    .enum(['none', 'random', 'rotate', 'reverse'])
    .default('none')
    .describe('Order of the options for each respondent; anchored options keep their place'),
  hidden: z
    .boolean()
    .default(false)
    .describe('Respondents never see the question; clients of the API can answer it'),
  report_label: text()
    .trim()
    .min(1)
    .nullable()
    .default(null)
    .describe('Name of the question in figures, charts, reports and files; null: its text'),
  logic: questionLogicSchema.nullable().default(null),
  /** By language, then by key: `{"de": {"question_text": "…", "options": {"1": "…"}}}`. */
  translations: z.record(languageTagText, jsonValue).nullable().default(null),
};

/** Checks min <= max if both are given; dates of the same precision sort as texts. */
function ordered<T extends z.ZodType<object>>(schema: T, low: string, high: string): T {
  return schema.superRefine((value, context) => {
    const bounds = value as Record<string, string | number | null>;
    const [min, max] = [bounds[low] ?? null, bounds[high] ?? null];
    if (min !== null && max !== null && min > max) {
      const message = `${low} (${min}) must not exceed ${high} (${max})`;
      context.addIssue({ code: 'custom', path: [low], message });
    }
  });
}

const choiceSettings = z.strictObject({
  ...common,
  display: z.enum(['list', 'buttons', 'cards']).default('list').describe('How the options are displayed'),
  other_label: text()
    .nullable()
    .default(null)
    .describe(
      "Label of the text box of an `option_other`; null: a standard text in the respondent's language",
    ),
  columns: z.int().min(1).max(6).default(1).describe('Number of columns in which the options are displayed'),
  searchable: z
    .boolean()
    .default(false)
    .describe('Whether respondents get a search box that filters the options by label'),
});

/** Settings of single-answer choices, whose codes can be ordinal. */
const oneChoiceSettings = z.strictObject({ ...choiceSettings.shape, measure: measure.default('nominal') });

const optionalMinimum = (max: number) => z.int().min(0).max(max).nullable().default(null);
const optionalMaximum = (max: number) => z.int().min(1).max(max).nullable().default(null);

export const questionSettingsSchemas = {
  single_choice: oneChoiceSettings,
  dropdown: oneChoiceSettings,
  multiple_choice: ordered(
    z.strictObject({
      ...choiceSettings.shape,
      min_selections: optionalMinimum(1_000),
      max_selections: optionalMaximum(1_000),
    }),
    'min_selections',
    'max_selections',
  ),
  text: ordered(
    z.strictObject({
      ...common,
      multiline: z.boolean().default(false),
      min_length: optionalMinimum(20_000),
      max_length: z.int().min(1).max(20_000).default(2_000),
      format: z.enum(['none', 'email', 'url', 'phone', 'regex']).default('none'),
      pattern: text(200).nullable().default(null).describe('Regular expression for the format `regex`'),
    }),
    'min_length',
    'max_length',
  ),
  number: ordered(
    z.strictObject({
      ...common,
      min: finite.nullable().default(null),
      max: finite.nullable().default(null),
      step: finite.positive().nullable().default(null),
      decimals: z.int().min(0).max(10).default(0).describe('Number of decimals that respondents can enter'),
      prefix: text(20).nullable().default(null).describe('Text before the input, such as a currency sign'),
      suffix: text(20).nullable().default(null).describe('Text after the input, such as a unit'),
    }),
    'min',
    'max',
  ),
  scale: ordered(
    z.strictObject({
      ...common,
      min: z.int().min(-100).max(100).default(1),
      max: z.int().min(-100).max(100).default(5),
      step: z.int().min(1).max(100).default(1),
      min_label: text().nullable().default(null),
      mid_label: text().nullable().default(null),
      max_label: text().nullable().default(null),
      point_labels: z
        .record(z.string().regex(/^-?\d{1,3}$/, 'must be a point of the scale'), text())
        .nullable()
        .default(null)
        .describe('Labels by point, such as `{"1":"Very inaccurate"}`'),
    }),
    'min',
    'max',
  ),
  slider: ordered(
    z.strictObject({
      ...common,
      min: finite.default(0),
      max: finite.default(100),
      step: finite.positive().default(1),
      start: finite
        .nullable()
        .default(null)
        .describe(
          'Initial position of the handle; null: no handle. A handle that was not moved is no answer',
        ),
    }),
    'min',
    'max',
  ),
  nps: z.strictObject({
    ...common,
    min_label: text().nullable().default(null),
    max_label: text().nullable().default(null),
  }),
  matrix: z.strictObject({
    ...common,
    rows: z
      .array(
        z.strictObject({
          row_code: z
            .string()
            .regex(/^[A-Za-z0-9][A-Za-z0-9_]{0,23}$/, 'must be letters, digits and _, 24 at most'),
          row_label: text(1_000).min(1),
        }),
      )
      .min(1, 'must not be empty')
      .max(200),
    matrix_type: z.enum(['single', 'multiple']).default('single').describe('One or several answers per row'),
    measure: measure.default('ordinal').describe('Measure of the rows of a single matrix'),
    require_all_rows: z.boolean().default(false).describe('Whether every row needs an answer'),
    shuffle_rows: z.boolean().default(false).describe('Whether rows are in random order for each respondent'),
  }),
  ranking: ordered(
    z.strictObject({ ...common, min_ranked: optionalMinimum(1_000), max_ranked: optionalMaximum(1_000) }),
    'min_ranked',
    'max_ranked',
  ),
  date: ordered(
    z.strictObject({
      ...common,
      precision: z.enum(['date', 'datetime', 'time', 'month', 'year']).default('date'),
      min: text(20).nullable().default(null),
      max: text(20).nullable().default(null),
    }),
    'min',
    'max',
  ),
  file_upload: z.strictObject({
    ...common,
    max_files: z.int().min(1).max(20).default(1),
    max_size_mb: z.int().min(1).max(100).default(10).describe('Maximum size of one file in megabytes'),
    allowed_extensions: z
      .array(
        z.string().regex(/^[a-z0-9]{1,10}$/, 'must be letters and digits in lower case, without the dot'),
      )
      .max(50)
      .nullable()
      .default(null),
  }),
} satisfies Record<QuestionType, z.ZodType>;

/** The settings of a question type with defaults. */
export type SettingsOf<T extends QuestionType> = z.infer<(typeof questionSettingsSchemas)[T]>;
