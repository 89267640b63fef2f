import type { ErrorDetail } from '../../../lib/errors.ts';
import { optionValues } from '../../answers/question-columns.ts';
import { acceptsLabels, type ConditionNames } from '../../survey/logic/condition-names.ts';
import { type ComparisonFields, readCondition } from '../../survey/logic/read-condition.ts';
import { type Comparison, comparisonsIn, type Condition, isGroup } from '../../survey/logic/condition.ts';
import type { ColumnCatalog } from '../columns/column-catalog.ts';
import type { Dataset } from '../dataset.ts';
import { compileExpressionFilter } from './expression-filter.ts';
import { compileComparison, type Narrow } from './filter-comparison.ts';
import { checkRightSide, type RightSide } from './filter-right-side.ts';
import { type FilterTarget, resolveTarget } from './filter-target.ts';

/** A condition or expression compiled for the columns of one catalog. */
export interface CompiledFilter {
  /** The source, which can be stored and compiled again. */
  readonly condition: Condition | string;
  /** Load codes that must be loaded first. */
  readonly loadCodes: readonly string[];
  /** Codes of the columns and questions it reads. */
  readonly codes: readonly string[];
  /** Removes from a mask (1 counts, 0 does not) the rows for which the condition does not hold. */
  narrow: Narrow;
  /** Returns a mask with 1 for every row for which the condition holds. */
  evaluate(dataset: Dataset): Uint8Array;
}

/** Each comparison scans all responses, so a larger number is a mistake or an attack. */
const MAX_COMPARISONS = 200;

type FilterResult = { ok: true; filter: CompiledFilter } | { ok: false; problems: ErrorDetail[] };

function columnsOf(target: FilterTarget) {
  return target.kind === 'column' ? [target.column] : target.columns;
}

function rightSideOf(target: FilterTarget): RightSide {
  if (target.kind === 'column') return target.column.spec;
  const { code, options } = target.question;
  return {
    columnCode: code,
    type: 'multiple',
    values: optionValues(options),
    source: 'question',
    precision: null,
  };
}

/** An empty group is true. Each part of an `or` starts from the rows that still count. */
function narrowTree(condition: Condition, leaves: ReadonlyMap<Comparison, Narrow>): Narrow {
  if (!isGroup(condition)) {
    const leaf = leaves.get(condition);
    if (!leaf) throw new Error(`comparison with ${condition.left.code} was not compiled`);
    return leaf;
  }
  const parts = condition.conditions.map((part) => narrowTree(part, leaves));
  if (condition.connector === 'and' || parts.length <= 1) {
    return (dataset, mask) => parts.forEach((part) => part(dataset, mask));
  }
  return (dataset, mask) => {
    const union = new Uint8Array(mask.length);
    for (const part of parts) {
      const branch = mask.slice();
      part(dataset, branch);
      for (let row = 0; row < union.length; row++) union[row]! |= branch[row]!;
    }
    mask.set(union);
  };
}

/**
 * Compiles a condition for a dataset's columns, or returns its problems: unknown codes, and values that a column does not have.
 * `fieldsByComparison` maps each comparison to its path in the request.
 *
 * Semantics are those of display logic (domain/survey/logic/compare.ts). A missing answer (skipped or not shown) is unknown: every
 * comparison is false except `not_answered`. Metadata without a value satisfy not_equals, not_in and not_contains. An option flagged as
 * missing is an ordinary answer.
 */
export function compileFilter(
  condition: Condition,
  catalog: ColumnCatalog,
  fieldsByComparison?: ReadonlyMap<Comparison, ComparisonFields>,
): FilterResult {
  const problems: ErrorDetail[] = [];
  const loadCodes = new Set<string>();
  const codes = new Set<string>();
  const leaves = new Map<Comparison, Narrow>();
  for (const comparison of comparisonsIn(condition)) {
    const fields = fieldsByComparison?.get(comparison) ?? {
      left: comparison.left.code,
      right: comparison.left.code,
    };
    const resolved = resolveTarget(comparison.left, catalog);
    if (!resolved.ok) {
      problems.push({ field: fields.left, ...resolved.problem });
      continue;
    }
    const checked = checkRightSide(rightSideOf(resolved.target), comparison.operator, comparison.right);
    if (!checked.ok) {
      problems.push({ field: fields.right, ...checked.problem });
      continue;
    }
    codes.add(comparison.left.code);
    for (const code of columnsOf(resolved.target).flatMap((column) => column.loadCodes)) loadCodes.add(code);
    leaves.set(comparison, compileComparison(resolved.target, comparison.operator, checked.right));
  }
  if (problems.length > 0) return { ok: false, problems };
  const narrow = narrowTree(condition, leaves);
  return createFilter({ condition, loadCodes: [...loadCodes], codes: [...codes], narrow });
}

function createFilter(filter: Omit<CompiledFilter, 'evaluate'>): FilterResult {
  const evaluate = (dataset: Dataset) => {
    const mask = new Uint8Array(dataset.rowCount).fill(1);
    filter.narrow(dataset, mask);
    return mask;
  };
  return { ok: true, filter: { ...filter, evaluate } };
}

/** Names available to filters: columns and questions by code, questions by id, values by label. */
function catalogNames(catalog: ColumnCatalog): ConditionNames {
  return {
    codeOfId: (id) => catalog.questionById(id)?.question.code,
    codeAsWritten: ({ code }) => code,
    valuesOf(left, operator) {
      const resolved = acceptsLabels(operator) ? resolveTarget(left, catalog) : null;
      return resolved?.ok ? rightSideOf(resolved.target).values : [];
    },
  };
}

/**
 * Parses, checks and compiles a client's filter: a condition in any form that `readCondition` accepts, or an expression such as `Q1 >= 4
 * and gender = "Female"`. An empty filter (undefined, null, {}) matches every response. Problems contain the path in the request, starting
 * with `field`; those of an expression also the position.
 */
export function readFilter(input: unknown, catalog: ColumnCatalog, field = 'filter'): FilterResult {
  if (typeof input === 'string') {
    const compiled = compileExpressionFilter(input, catalog, field);
    return compiled.ok ? createFilter({ condition: input, ...compiled }) : compiled;
  }
  const parsed = readCondition(input ?? {}, catalogNames(catalog), field, {
    shortFormType: 'column',
    maxComparisons: MAX_COMPARISONS,
  });
  return parsed.ok ? compileFilter(parsed.condition, catalog, parsed.fields) : parsed;
}
