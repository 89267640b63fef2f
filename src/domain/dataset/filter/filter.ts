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

/** A condition, or an expression, made ready for the columns of one catalog. */
export interface CompiledFilter {
  /** As it can be kept and read again. */
  readonly condition: Condition | string;
  /** What a dataset must have loaded before. */
  readonly loadCodes: readonly string[];
  /** The columns and questions it looks at. */
  readonly codes: readonly string[];
  /** Takes the rows for which the condition does not hold out of a mask (1 counts, 0 does not). */
  narrow: Narrow;
  /** 1 for every row for which the condition holds. */
  evaluate(dataset: Dataset): Uint8Array;
}

/** Each comparison of a filter reads every response; a filter with more is a mistake, or an attack. */
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

/** An empty group holds; `or` starts each part from what still counts. */
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
 * Makes a condition ready to run over a dataset's columns, or says what is wrong with it: codes that are in no column, values
 * that are none of the column's. `places` tells where each comparison stands in the client's input.
 *
 * It means what it means in display logic (domain/survey/logic/compare.ts). A missing answer, skipped or not shown, is unknown: every
 * comparison is false but `not_answered`. A metadata column without a value has none, so that not_equals, not_in and not_contains hold
 * for it. An option flagged as missing is an answer like any other.
 */
export function compileFilter(
  condition: Condition,
  catalog: ColumnCatalog,
  places?: ReadonlyMap<Comparison, ComparisonFields>,
): FilterResult {
  const problems: ErrorDetail[] = [];
  const loadCodes = new Set<string>();
  const codes = new Set<string>();
  const leaves = new Map<Comparison, Narrow>();
  for (const comparison of comparisonsIn(condition)) {
    const place = places?.get(comparison) ?? { left: comparison.left.code, right: comparison.left.code };
    const resolved = resolveTarget(comparison.left, catalog);
    if (!resolved.ok) {
      problems.push({ field: place.left, message: resolved.message });
      continue;
    }
    const checked = checkRightSide(rightSideOf(resolved.target), comparison.operator, comparison.right);
    if (!checked.ok) {
      problems.push({ field: place.right, message: checked.message });
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

/** What a filter can name: columns and questions by code, questions by id, values by label. */
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
 * A client's filter, read, checked and made ready: a condition in any form of `readCondition`, or a text, which is an expression such
 * as `Q1 >= 4 and gender = "Female"`. Nothing (undefined, null, {}) holds for every response. Problems name the place in the input,
 * beginning with `field`, those of an expression also the position.
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
  return parsed.ok ? compileFilter(parsed.condition, catalog, parsed.places) : parsed;
}
