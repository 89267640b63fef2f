import { z } from 'zod';
import { MEASURES } from '../../../domain/dataset/columns/column-spec.ts';
import { OUTSIDE_RANGE, type RecodeRule } from '../../../domain/derived/definition.ts';
import type { BinCuts } from '../../../domain/derived/transform.ts';
import type { RuleFieldPath } from '../../../services/responses/derived/column-plans.ts';
import { changeInput } from '../changes/change-input.ts';
import { filterBody } from '../../selection-query.ts';

const MAX_RULES = 500;
const MAX_VALUES = 1_000;
const MAX_BINS = 100;
const MAX_COLUMNS = 100;
const MAX_LABEL_CHARACTERS = 500;

export const columnCode = z.string().min(1).max(120);
export const labelInput = z.string().trim().min(1).max(MAX_LABEL_CHARACTERS);

const scalar = z.union([z.string().max(2_000), z.number()]);
const outcome = z.union([z.string().trim().min(1).max(255), z.number(), z.null()]);

/** Fields of all transforms. */
export const transformFields = {
  column_code: columnCode
    .optional()
    .describe('The column to transform. Required unless `column_codes` is given'),
  column_codes: z
    .array(columnCode)
    .min(1)
    .max(MAX_COLUMNS)
    .optional()
    .describe('Several columns to transform in the same way, instead of `column_code`'),
  target_column_code: z
    .string()
    .min(1)
    .max(120)
    .optional()
    .describe('Code of the new column, for a single source. Default: the source code with a suffix'),
  label: labelInput
    .optional()
    .describe('Label of the new column. Default: derived from the label of the source'),
  overwrite: z
    .boolean()
    .default(false)
    .describe(
      'Replace the values of the responses instead of creating a column; the original answers are stored',
    ),
  filter: filterBody
    .optional()
    .describe(
      'Responses to transform. Others have no value in the new column (like a question that was not shown) or, when ' +
        'overwriting, keep theirs. `filters` is an alias',
    ),
  filters: filterBody.optional(),
  ...changeInput,
};

interface Sources {
  column_code?: string | undefined;
  column_codes?: string[] | undefined;
}

/** Requires either `column_code` or `column_codes`. */
export function requireColumns({ column_code, column_codes }: Sources, context: z.RefinementCtx): void {
  if ((column_code === undefined) === (column_codes === undefined)) {
    const message =
      column_code === undefined ? 'is required, or column_codes' : 'cannot be used with column_codes';
    context.addIssue({ code: 'custom', path: ['column_code'], message });
  }
}

const fromSchema = z
  .union([
    z.array(scalar).min(1).max(MAX_VALUES),
    z.strictObject({ min: z.number().optional(), max: z.number().optional() }),
    z.enum(['missing', 'else']),
  ])
  .describe(
    'A list of values, a range (bounds included), "missing" (skipped or not shown), or "else" (every other value)',
  );

export const recodeFields = {
  rules: z
    .array(
      z.strictObject({
        from: fromSchema,
        to: outcome.describe('The new value; null: not applicable'),
        label: labelInput.optional().describe('Label of the new value'),
      }),
    )
    .min(1)
    .max(MAX_RULES)
    .optional()
    .describe('The first matching rule applies'),
  mapping: z
    .record(z.string(), outcome)
    .optional()
    .describe('Instead of `rules`: the new value for each value, such as `{"1":"low","2":"low","3":"high"}`'),
  measure: z
    .enum(MEASURES)
    .optional()
    .describe(
      'Measure of the new categories. Default: ordinal, or nominal if the source is nominal. A numeric result is scale',
    ),
};

interface RecodeInput {
  rules?: { from: RecodeRule['from']; to: RecodeRule['to']; label?: string | undefined }[] | undefined;
  mapping?: Record<string, RecodeRule['to']> | undefined;
}

export function requireRules({ rules, mapping }: RecodeInput, context: z.RefinementCtx): void {
  const complain = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (rules === undefined && mapping === undefined) complain('rules', 'is required, or mapping');
  if (rules !== undefined && mapping !== undefined) complain('mapping', 'cannot be used with rules');
  const count = mapping === undefined ? 1 : Object.keys(mapping).length;
  if (count === 0 || count > MAX_VALUES) complain('mapping', `must have 1 to ${MAX_VALUES} values`);
  const outcomes = rules?.map(({ to }) => to) ?? Object.values(mapping ?? {});
  if (outcomes.length > 0 && outcomes.every((to) => to === null))
    complain(rules === undefined ? 'mapping' : 'rules', 'must give at least one value');
}

/** Returns undefined if neither rules nor a mapping is given. */
export function rulesOf({ rules, mapping }: RecodeInput): RecodeRule[] | undefined {
  if (mapping !== undefined) return Object.entries(mapping).map(([value, to]) => ({ from: [value], to }));
  return rules?.map(({ from, to, label }) => ({ from, to, ...(label === undefined ? {} : { label }) }));
}

export function rulePathOf({ mapping }: RecodeInput): RuleFieldPath {
  const values = mapping === undefined ? null : Object.keys(mapping);
  return (rule, part) =>
    values === null ? `rules[${rule}].${part}` : `mapping.${(values[rule] ?? '').slice(0, 60)}`;
}

export const outsideField = z
  .enum(OUTSIDE_RANGE)
  .describe(
    'normalize only: numbers outside min and max (later ones, if parameters are frozen). `clip`: they become 0 or 1. ' +
      '`missing`: they have no value (not applicable)',
  );

export const binFields = {
  method: z
    .enum(['equal_width', 'equal_frequency', 'custom'])
    .optional()
    .describe('Default: custom with `breaks`, otherwise equal_width'),
  bins: z.int().min(2).max(MAX_BINS).optional().describe('Number of bins; required unless `breaks` is given'),
  breaks: z
    .array(z.number())
    .min(2)
    .max(MAX_BINS + 1)
    .optional()
    .describe('custom only: cut points in ascending order; bins are [a, b), the last one closed'),
  labels: z.array(labelInput).max(MAX_BINS).optional().describe('Labels of the bins in order'),
};

interface BinInput {
  method?: 'equal_width' | 'equal_frequency' | 'custom' | undefined;
  bins?: number | undefined;
  breaks?: number[] | undefined;
}

export function requireCuts({ method, bins, breaks }: BinInput, context: z.RefinementCtx): void {
  const complain = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  const isCustom = (method ?? (breaks === undefined ? 'equal_width' : 'custom')) === 'custom';
  if (isCustom && breaks === undefined) complain('breaks', 'is required for custom');
  if (isCustom && bins !== undefined) complain('bins', 'is decided by breaks');
  if (!isCustom && breaks !== undefined) complain('breaks', `cannot be used with ${method}`);
  if (!isCustom && bins === undefined) complain('bins', 'is required, or breaks');
  if (breaks?.some((value, index) => index > 0 && value <= breaks[index - 1]!) === true)
    complain('breaks', 'must ascend');
}

/** Returns undefined if no field about cut points is given. */
export function cutsOf({ method, bins, breaks }: BinInput): BinCuts | undefined {
  if (method === undefined && bins === undefined && breaks === undefined) return undefined;
  if (breaks !== undefined) return { method: 'custom', breaks };
  return { method: method === 'equal_frequency' ? method : 'equal_width', bins: bins! };
}
