import { z } from 'zod';
import { withNumbers } from '../columns/option-numbers.ts';
import { notAllowedWith, quote } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import {
  type Cell,
  type ColumnSpec,
  type LevelOfMeasurement,
  MEASURES,
  valueNotFound,
} from '../columns/column-spec.ts';
import { type Column, NOT_APPLICABLE } from '../columns/columns.ts';
import { ROWS_PER_YIELD } from './numbers.ts';
import {
  type DerivedForm,
  derivedForm,
  labelText,
  NUMBER_FORM,
  type SourceDefinition,
  type TransformModule,
} from './transform.ts';

const MAX_RULES = 500;
const MAX_VALUES = 1_000;

interface Range {
  min?: number | undefined;
  max?: number | undefined;
}

/** The values that a rule matches and the result. The first match wins. */
export interface RecodeRule {
  from: readonly (string | number)[] | Range | 'missing' | 'else';
  /** null: missing. */
  to: string | number | null;
  label?: string;
}

interface RecodeRequest {
  kind: 'recode';
  rules: readonly RecodeRule[];
  /** Values that no rule matches are kept instead of not applicable. */
  keepUnmatched?: true;
  /** Measure of the resulting categories; absent: ordinal unless the source is nominal. */
  measure?: LevelOfMeasurement;
}

interface RecodeDefinition extends SourceDefinition, Omit<RecodeRequest, 'kind'> {
  kind: 'recode';
}

const scalar = z.union([z.string().max(2_000), z.number()]);
const outcome = z.union([z.string().trim().min(1).max(255), z.number(), z.null()]);

const fields = {
  rules: z
    .array(
      z.strictObject({
        from: z
          .union([
            z.array(scalar).min(1).max(MAX_VALUES),
            z.strictObject({ min: z.number().optional(), max: z.number().optional() }),
            z.enum(['missing', 'else']),
          ])
          .describe(
            'A list of values, a range (bounds included), "missing" (skipped or not shown), or "else" (every other value)',
          ),
        to: outcome.describe('The new value; null: not applicable'),
        label: labelText.optional().describe('Label of the new value'),
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
type RecodeBody = z.output<z.ZodObject<typeof fields>>;

const hasRules = ({ rules, mapping }: RecodeBody) => rules !== undefined || mapping !== undefined;

function checkRules({ rules, mapping }: RecodeBody, context: z.RefinementCtx): void {
  const addIssue = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (rules === undefined && mapping === undefined) addIssue('rules', 'is required, or mapping');
  if (rules !== undefined && mapping !== undefined) addIssue('mapping', 'cannot be used with rules');
  const count = mapping === undefined ? 1 : Object.keys(mapping).length;
  if (count === 0 || count > MAX_VALUES) addIssue('mapping', `must have 1 to ${MAX_VALUES} values`);
  const outcomes = rules?.map(({ to }) => to) ?? Object.values(mapping ?? {});
  if (outcomes.length > 0 && outcomes.every((to) => to === null))
    addIssue(rules === undefined ? 'mapping' : 'rules', 'must give at least one value');
}

function readRules({ rules = [], mapping }: RecodeBody): RecodeRule[] {
  if (mapping !== undefined) return Object.entries(mapping).map(([value, to]) => ({ from: [value], to }));
  return rules.map(({ from, to, label }) => ({ from, to, ...(label !== undefined && { label }) }));
}

/** Returns the field of `mapping` for a field of the rules made from it. */
function mappingField({ mapping }: RecodeBody, field: string): string {
  const rule = /^rules\[(\d+)\]/.exec(field)?.[1];
  if (mapping === undefined || rule === undefined) return field;
  return `mapping.${(Object.keys(mapping)[Number(rule)] ?? '').slice(0, 60)}`;
}

const isNumber = (value: string | number) => String(value).trim() !== '' && Number.isFinite(Number(value));

/** Whether the rule matches a range of numbers. */
function isRange(from: RecodeRule['from']): from is Range {
  return typeof from === 'object' && !Array.isArray(from);
}

function valueProblem(value: string | number, spec: ColumnSpec): string | null {
  switch (spec.type) {
    case 'categorical':
    case 'binary':
      return spec.values.some((known) => known.value === String(value)) ? null : valueNotFound(spec, value);
    case 'number':
    case 'rank':
      return isNumber(value) ? null : `${spec.columnCode} holds numbers, not ${quote(value)}`;
    default:
      return null;
  }
}

function rangeProblem({ min, max }: Range, spec: ColumnSpec): string | null {
  if (min === undefined && max === undefined) return 'needs min, max or both';
  if (min !== undefined && max !== undefined && min > max) return `min ${min} is above max ${max}`;
  const hasNumbers =
    spec.type === 'number' ||
    spec.type === 'rank' ||
    spec.type === 'binary' ||
    (spec.type === 'categorical' && spec.values.some(({ value }) => isNumber(value)));
  return hasNumbers ? null : `${spec.columnCode} holds no numbers; list its values`;
}

function ruleProblems({ rules }: RecodeRequest, source: ColumnSpec): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  let hasElse = false;
  rules.forEach(({ from }, index) => {
    const addProblem = (message: string | null) => {
      if (message !== null) problems.push({ field: `rules[${index}].from`, message });
    };
    if (hasElse && from !== 'missing') addProblem('must come before "else", which matches every value');
    if (from === 'else') hasElse = true;
    else if (from === 'missing') return;
    else if (isRange(from)) addProblem(rangeProblem(from, source));
    else for (const value of from) addProblem(valueProblem(value, source));
  });
  return problems;
}

/** Returns which results the source column itself cannot hold. */
function outcomeProblems({ rules }: RecodeDefinition, source: ColumnSpec): ErrorDetail[] {
  return rules.flatMap(({ to }, index) => {
    const message = to === null ? null : valueProblem(to, source);
    return message === null ? [] : [{ field: `rules[${index}].to`, message }];
  });
}

const INTEGER = /^-?\d{1,9}$/;

/**
 * Returns the categories in rule order: integers are their own codes in ascending order, texts are numbered. Non-integer numbers give a
 * numeric column.
 */
export function recodeForm(
  rules: readonly RecodeRule[],
  source: Pick<ColumnSpec, 'measure'>,
  measure: LevelOfMeasurement = source.measure === 'nominal' ? 'nominal' : 'ordinal',
): DerivedForm {
  const labels = new Map<string, string>();
  for (const { to, label } of rules) {
    if (to === null) continue;
    const value = String(to);
    if (!labels.has(value) || (label !== undefined && labels.get(value) === value))
      labels.set(value, label ?? value);
  }
  const numbers = rules.flatMap(({ to }) => (typeof to === 'number' ? [to] : []));
  if (
    numbers.some((number) => !INTEGER.test(String(number))) &&
    numbers.length === rules.filter(({ to }) => to !== null).length
  )
    return NUMBER_FORM;
  const coded = [...labels.keys()].every((value) => INTEGER.test(value));
  const categories = [...labels].map(([value, label], index) => {
    return { code: coded ? Number(value) : index + 1, value, label, missing: false };
  });
  if (coded) categories.sort((a, b) => a.code - b.code);
  return derivedForm('categorical', measure, { values: withNumbers(categories) });
}

/** Finds the index of the first matching rule; -1: none. */
interface RuleFinder {
  /** Matches a category by option_value, a text ignoring case, a date as formatted. */
  ruleForText(text: string): number;
  ruleForNumber(value: number): number;
  missing: number;
}

/** Range bounds are inclusive. "else" matches every value except missing. */
function createRuleFinder(rules: readonly RecodeRule[], foldCase: boolean): RuleFinder {
  const folded = (text: string) => (foldCase ? text.toLowerCase() : text);
  const texts = new Map<string, number>();
  const numbers = new Map<number, number>();
  const ranges: { range: Range; rule: number }[] = [];
  let elseRule = -1;
  let missing = -1;
  rules.forEach(({ from }, rule) => {
    if (from === 'else') elseRule = elseRule < 0 ? rule : elseRule;
    else if (from === 'missing') missing = missing < 0 ? rule : missing;
    else if (isRange(from)) ranges.push({ range: from, rule });
    else
      for (const value of from) {
        const text = folded(String(value));
        const number = Number(value);
        if (!texts.has(text)) texts.set(text, rule);
        if (text.trim() !== '' && !numbers.has(number)) numbers.set(number, rule);
      }
  });
  const noMatch = rules.length;
  const firstRule = (listed: number | undefined, value: number) => {
    const inRange = ranges.find(
      ({ range: { min = -Infinity, max = Infinity } }) => value >= min && value <= max,
    );
    const first = Math.min(listed ?? noMatch, inRange?.rule ?? noMatch, elseRule < 0 ? noMatch : elseRule);
    return first === noMatch ? -1 : first;
  };
  return {
    ruleForText: (text) => firstRule(texts.get(folded(text)), text.trim() === '' ? NaN : Number(text)),
    ruleForNumber: (value) => firstRule(numbers.get(value), value),
    missing,
  };
}

/** Returns the rule of each row, -1 if none; for rows without a value, the rule for missing. */
function createRuleReader(source: Column, rules: readonly RecodeRule[]): (row: number) => number {
  const finder = createRuleFinder(rules, source.kind === 'text');
  switch (source.kind) {
    case 'categorical': {
      const { indices } = source;
      const byOption = Int32Array.from(source.spec.values, ({ value }) => finder.ruleForText(value));
      return (row) => {
        const index = indices[row] ?? -1;
        return index < 0 ? finder.missing : (byOption[index] ?? -1);
      };
    }
    case 'binary': {
      const byFlag = [finder.ruleForNumber(0), finder.ruleForNumber(1)];
      return (row) => byFlag[source.valueAt(row)] ?? finder.missing;
    }
    case 'numeric': {
      const { values } = source;
      return (row) => {
        const value = values[row] ?? NaN;
        return Number.isNaN(value) ? finder.missing : finder.ruleForNumber(value);
      };
    }
    case 'date':
    case 'text':
      return (row) => {
        const cell = source.cell(row);
        return typeof cell === 'string' ? finder.ruleForText(cell) : finder.missing;
      };
    case 'multiple':
      throw new Error(`${source.spec.columnCode} holds several answers`);
  }
}

/** Returns a writer for the result of a rule. */
function createRuleWriter(target: Column, outcomes: readonly Cell[]): (row: number, rule: number) => void {
  if (target.kind === 'categorical') {
    const { indices, spec } = target;
    const valueIndexes = outcomes.map((cell) => spec.values.findIndex(({ value }) => value === String(cell)));
    return (row, rule) => {
      const index = valueIndexes[rule] ?? -1;
      indices[row] = index < 0 ? -NOT_APPLICABLE : index;
    };
  }
  return (row, rule) => putCell(target, row, outcomes[rule] ?? null);
}

function putCell(target: Column, row: number, cell: Cell): void {
  const stored = target.kind === 'binary' ? target.source : target;
  if (cell === null) stored.setMissing(row, NOT_APPLICABLE);
  else if (target.kind !== 'binary') target.set(row, cell);
  else target.source.set(row, Number(cell) === 1 ? ['1'] : []);
}

/** Missing values keep their reason unless a rule matches them. */
function* recodeColumn(
  source: Column,
  wanted: Uint8Array,
  { rules, keepUnmatched }: RecodeDefinition,
  target: Column,
): Generator<void> {
  const find = createRuleReader(source, rules);
  const put = createRuleWriter(
    target,
    rules.map(({ to }) => to),
  );
  const stored = target.kind === 'binary' ? target.source : target;
  for (let row = 0; row < wanted.length; row++) {
    if (row % ROWS_PER_YIELD === 0) yield;
    if (wanted[row] === 0) continue;
    const rule = find(row);
    if (rule >= 0) put(row, rule);
    else {
      const reason = source.missing(row);
      if (reason === null && keepUnmatched) putCell(target, row, source.cell(row));
      else stored.setMissing(row, reason ?? NOT_APPLICABLE);
    }
  }
}

const shownScalar = z.union([z.string(), z.number()]);

export const recodeTransform: TransformModule<RecodeRequest, RecodeDefinition, typeof fields, typeof fields> =
  {
    kind: 'recode',
    operation: {
      path: 'recode',
      operationId: 'recodeColumns',
      summary: 'Recode values',
      description:
        'Categories are given by option_value, texts ignoring case. A value without a rule is not applicable in a new ' +
        'column and unchanged when overwriting. Missing values keep their reason unless a rule has "missing" (overwriting never ' +
        'answers a question that was not shown). Integer results become categories with these codes, texts categories numbered 1, ' +
        '2, …, other numbers a number. `measure` declares whether the categories are ordered, which means and quantiles require.',
      example: {
        column_code: 'Q2',
        target_column_code: 'age_group',
        label: 'Age group',
        measure: 'ordinal',
        rules: [
          { from: { max: 29 }, to: 1, label: 'Under 30' },
          { from: { min: 30, max: 49 }, to: 2, label: '30 to 49' },
          { from: { min: 50 }, to: 3, label: '50 and over' },
        ],
      },
    },
    suffix: { code: '_rec', label: 'recoded' },
    request: {
      fields,
      check: checkRules,
      read: (body) => ({
        kind: 'recode',
        rules: readRules(body),
        ...(body.measure !== undefined && { measure: body.measure }),
      }),
      problems: ruleProblems,
      sentField: mappingField,
    },
    source: {
      problem({ columnCode, type }) {
        if (type === 'multiple') return `${columnCode} holds several answers; recode its 0/1 columns`;
        return type === 'file' ? `${columnCode} holds files` : null;
      },
    },
    draft: (request, columns) => ({ ...request, ...columns }),
    form: ({ rules, measure }, _, source) => recodeForm(rules, source, measure),
    compute: recodeColumn,
    overwrite: {
      typeProblem: ({ columnCode, type }) =>
        type === 'rank' || type === 'date' ? `${columnCode} is of type ${type}; create a new column` : null,
      mayEmpty: () => true,
      valueProblems: outcomeProblems,
      newColumnField({ measure }) {
        const message = `${notAllowedWith('overwrite')}; change question_settings.measure of the question instead`;
        return measure === undefined ? null : { field: 'measure', message };
      },
      adapt: (request) => ({ ...request, keepUnmatched: true }),
    },
    definition: {
      schemaId: 'RecodeDefinition',
      fields: {
        rules: z.array(
          z
            .strictObject({
              from: z.union([
                z.array(shownScalar),
                z.strictObject({ min: z.number().optional(), max: z.number().optional() }),
                z.enum(['missing', 'else']),
              ]),
              to: shownScalar.nullable(),
              label: z.string().optional(),
            })
            .meta({ id: 'RecodeRule' }),
        ),
        measure: z.enum(MEASURES).optional(),
      },
      present: ({ rules, measure }) => ({ rules, ...(measure && { measure }) }),
    },
    changes: {
      fields,
      errorFields: { mapping: 'rules' },
      check(changed, context) {
        if (hasRules(changed)) checkRules(changed, context);
      },
      replacedParts: (changed) => (hasRules(changed) ? ['label', 'missing'] : []),
    },
    update(definition, changed) {
      const measure = changed.measure ?? definition.measure;
      return {
        kind: 'recode',
        rules: hasRules(changed) ? readRules(changed) : definition.rules,
        ...(measure && { measure }),
      };
    },
  };
