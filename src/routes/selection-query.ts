import { z } from 'zod';
import type { InclusionCounts } from '../domain/dataset/filter/select-rows.ts';
import { RESPONSE_STATUSES, type ResponseStatus } from '../domain/responses/response-row.ts';
import { mustBe } from '../lib/error-messages.ts';
import { surveyQuery } from './guards.ts';
import type { ResponseSelection } from '../services/datasets/requested-columns.ts';
import { jsonObject } from '../lib/json-value.ts';
import { resolveAlias } from '../lib/resolve-alias.ts';

const MAX_FILTER_CHARACTERS = 20_000;

/** `true` or `false` in a query. */
export const flagText = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true')
  .meta({ override: { type: 'boolean', enum: undefined } });

const statusText = z
  .string()
  .max(100)
  .transform((value, context) => {
    const statuses = value === 'all' ? [...RESPONSE_STATUSES] : value.split(',');
    const unknown = statuses.find((status) => !(RESPONSE_STATUSES as readonly string[]).includes(status));
    if (unknown === undefined) return statuses as ResponseStatus[];
    context.addIssue({
      code: 'custom',
      message: `"${unknown}" is not a status; use all, or some of ${RESPONSE_STATUSES.join(', ')}`,
    });
    return z.NEVER;
  })
  .meta({
    override: { type: 'string' },
    description:
      'Statuses of the responses: `all`, or some of complete, partial and screened_out, separated by commas',
  });

const INCLUDE_TEST =
  'Include test and synthetic responses. Default: only until the published survey has a real response';
const QUALITY =
  'Responses with a confirmed quality flag are excluded by default (`exclude_confirmed`); `include_all` includes them';
const qualityChoice = z.enum(['exclude_confirmed', 'include_all']);

/** Counts of included and excluded responses. */
export const inclusionCountsSchema = z
  .strictObject({
    responses: z
      .int()
      .nonnegative()
      .describe('Counted responses, before weights and missing answers are considered'),
    test_responses_included: z.int().nonnegative().describe('Number of `responses` that are test responses'),
    test_responses_excluded: z
      .int()
      .nonnegative()
      .describe('Test responses that match `status` and `filter` but are not counted; see `include_test`'),
    quality_included: z.int().nonnegative().describe('Number of `responses` with a confirmed quality flag'),
    quality_excluded: z
      .int()
      .nonnegative()
      .describe(
        'Responses that match but are not counted because of a confirmed quality flag; see `quality`',
      ),
  } satisfies Record<keyof InclusionCounts, z.ZodType>)
  .meta({ id: 'CountedResponses' });

/** The counts as a header for files: `responses=120, test_responses_included=0, …`. */
export const inclusionCountsHeader = (counted: InclusionCounts): Record<string, string> => ({
  'Canvass-Counted': Object.entries(counted)
    .map(([what, count]) => `${what}=${count}`)
    .join(', '),
});

/** How filters and expressions compare missing values; part of descriptions. */
export const MISSING_VALUES =
  'Missing answers (skipped or not shown) match no comparison, not even `!=`, `not_equals` and `not_in`; use `not_answered` or `isnull`. ' +
  'A metadata column without a value (`quality_status`, `status_reason`, `wave_id`) does not equal any value, so `!=`, `not_equals`, `not_in` and ' +
  '`not_contains` match: `quality_status != 2` selects every response without a confirmed flag.';

const FILTER_FORMS =
  'a condition tree, its short form `{"Q1":["1","2"]}`, or an expression such as `Q1 >= 4 and gender = "Female"`; null: every response. ' +
  'Conditions reference questions by code or id (`{"12":["1"]}`, `{"question_id":12,"operator":"in","right":["1"]}`) and options by value or ' +
  'label (values first; an ambiguous label is 400). Expressions reference options by option_code or label. A multiple choice with no option ' +
  'selected is `answered`; `includes_none` with all options matches it';

/** A text that starts with a brace is a condition as JSON; `null` and an empty text mean no filter; any other text is an expression, which the service parses. */
const filterText = z
  .string()
  .max(MAX_FILTER_CHARACTERS)
  .transform((value, context): unknown => {
    const text = value.trim();
    if (text === '' || text === 'null') return null;
    if (!text.startsWith('{')) return value;
    try {
      return JSON.parse(value);
    } catch {
      context.addIssue({
        code: 'custom',
        message: mustBe(
          'valid JSON if it starts with {: a condition, or values by column such as {"Q1":["1","2"]}',
          value,
        ),
      });
      return z.NEVER;
    }
  })
  .meta({
    override: { type: 'string' },
    description: `Selects responses: JSON of ${FILTER_FORMS}. \`filters\` is an alias. ${MISSING_VALUES}`,
  });

/** A filter in a body. The service validates it against the columns of the survey. */
export const filterBody = z
  .union([z.string().max(MAX_FILTER_CHARACTERS), jsonObject], {
    error: ({ input }) =>
      mustBe('a condition, values by column such as {"Q1":["1","2"]}, or an expression', input),
  })
  .meta({ id: 'Filter', description: `Selects responses: ${FILTER_FORMS}. ${MISSING_VALUES}` })
  .nullable();

const momentInput = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** The end of the previous synchronization window, in milliseconds since 1970. */
export const updatedSince = z
  .string()
  .max(40)
  .transform((value, context) => {
    if (momentInput.safeParse(value).success) return Date.parse(value);
    const message =
      'must be `updated_until` of a reply, or another ISO 8601 time with its offset, such as 2026-03-01T09:30:00Z';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .optional()
  .meta({ override: { type: 'string', format: 'date-time' } });

/** How to synchronize a copy; part of descriptions. */
export const SYNC_DESCRIPTION =
  'to keep a copy up to date, send `updated_until` of one reply as `updated_since` of the next request. The windows [since, until) have no gaps, ' +
  'even during writes; a response that changes again is returned again. `updated_until` is about a second in the past, more during long writes. ' +
  'Add `include_deleted`, all values of `status`, `include_test=true` and `quality=include_all`, otherwise responses that change their status are ' +
  'missed. Changes of derived columns do not change `updated_at`. In an anonymous survey, windows are whole days of its time zone.';

/** Query fields that select responses. */
export const selectionQuery = {
  ...surveyQuery.shape,
  status: statusText.optional(),
  filter: filterText.optional(),
  filters: filterText.optional(),
  include_test: flagText.optional().describe(INCLUDE_TEST),
  quality: qualityChoice.optional().describe(QUALITY),
};

/** Body fields that include or exclude test and flagged responses. */
export const countingBody = {
  include_test: z.boolean().nullable().optional().describe(`${INCLUDE_TEST}. null: the default`),
  quality: qualityChoice.optional().describe(QUALITY),
};

/** Query fields for synchronization. */
export const syncQuery = {
  updated_since: updatedSince.describe(
    'Only responses changed since this time: `updated_until` of the previous reply',
  ),
  include_deleted: flagText
    .optional()
    .describe('Include deleted responses with `deleted: true` and without values'),
};

interface FilterInput {
  filter?: unknown;
  filters?: unknown;
}

/** Returns `filter` or its alias `filters`; undefined if there is no filter. */
export function filterOf(input: FilterInput): unknown {
  return filterChangeOf(input) ?? undefined;
}

/** Returns the filter of an update: undefined keeps the stored filter, null removes it. */
export function filterChangeOf({ filter, filters }: FilterInput): unknown {
  return resolveAlias({ name: 'filter', first: filter, other: 'filters', second: filters });
}

/** Returns `weight` or its alias `weight_column`. */
export function weightOf({
  weight,
  weight_column: weightColumn,
}: {
  weight?: string | undefined;
  weight_column?: string | undefined;
}): string | null {
  return (
    resolveAlias({ name: 'weight', first: weight, other: 'weight_column', second: weightColumn }) ?? null
  );
}

interface SelectionInput {
  status?: ResponseStatus[] | undefined;
  filter?: unknown;
  filters?: unknown;
  include_test?: boolean | null | undefined;
  quality?: z.output<typeof qualityChoice> | undefined;
}

/** Defaults of a selection. Without `includeTest` and `includeConfirmed`, the defaults of statistics apply. */
type SelectionDefaults = Pick<ResponseSelection, 'status'> & Partial<ResponseSelection>;

export function toSelection(
  input: SelectionInput,
  presets: readonly ResponseStatus[] | SelectionDefaults,
): ResponseSelection & { includeTest: boolean | null; includeConfirmed: boolean } {
  const defaults: SelectionDefaults = 'status' in presets ? presets : { status: presets };
  return {
    status: input.status ?? defaults.status,
    filter: filterOf(input),
    includeTest: input.include_test ?? defaults.includeTest ?? null,
    includeConfirmed:
      input.quality === undefined ? (defaults.includeConfirmed ?? false) : input.quality === 'include_all',
  };
}
