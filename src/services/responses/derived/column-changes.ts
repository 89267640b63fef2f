import type { ColumnValue, LevelOfMeasurement } from '../../../domain/dataset/columns/column-spec.ts';
import type {
  ComputedType,
  OutsideRange,
  RecodeRule,
  TextOperation,
} from '../../../domain/derived/definition.ts';
import type { BinCuts, Transform } from '../../../domain/derived/transform.ts';
import { notAllowedFor, unknownValue } from '../../../lib/error-messages.ts';
import { invalid, invalidFields } from '../../../lib/errors.ts';
import type { DerivedColumnRow } from '../../../repositories/derived-columns.ts';
import type { DerivedColumnFields } from '../../../repositories/tables/responses.ts';
import type { ColumnRecipe, RuleFieldPath } from './column-plans.ts';

/** Changes of a derived column; absent members stay unchanged. The allowed members depend on the kind. */
export interface ColumnChanges {
  label?: string | undefined;
  /** Changes labels and missing flags of existing values. */
  values?:
    readonly { value: string; label?: string | undefined; missing?: boolean | undefined }[] | undefined;
  rules?: readonly RecodeRule[] | undefined;
  rulePlace: RuleFieldPath;
  measure?: LevelOfMeasurement | undefined;
  /** null: removes the filter. */
  filter?: unknown;
  frozen?: boolean | undefined;
  outside?: OutsideRange | undefined;
  /** null: removes the weight. A new weight recomputes frozen parameters from the current data. */
  weight?: string | null | undefined;
  cuts?: BinCuts | undefined;
  labels?: readonly string[] | undefined;
  operations?: readonly TextOperation[] | undefined;
  expression?: string | undefined;
  type?: ComputedType | undefined;
}

/** Members of a definition with their field names and the kinds that have them. */
const CHANGEABLE_PARTS: readonly { part: keyof ColumnChanges; field: string; kinds: readonly string[] }[] = [
  { part: 'rules', field: 'rules', kinds: ['recode'] },
  { part: 'measure', field: 'measure', kinds: ['recode'] },
  { part: 'filter', field: 'filter', kinds: ['recode', 'normalize', 'z_scores', 'bin', 'text'] },
  { part: 'frozen', field: 'parameters', kinds: ['normalize', 'z_scores'] },
  { part: 'outside', field: 'outside', kinds: ['normalize'] },
  { part: 'weight', field: 'weight_column', kinds: ['z_scores'] },
  { part: 'cuts', field: 'method', kinds: ['bin'] },
  { part: 'labels', field: 'labels', kinds: ['bin'] },
  { part: 'operations', field: 'operations', kinds: ['text'] },
  { part: 'expression', field: 'expression', kinds: ['computed'] },
  { part: 'type', field: 'type', kinds: ['computed'] },
];

/** The recipe after the change; null if the change does not affect it. */
export function mergeRecipe(
  { definition, column_values: values }: DerivedColumnRow,
  changes: ColumnChanges,
): ColumnRecipe | null {
  const named = CHANGEABLE_PARTS.filter(({ part }) => changes[part] !== undefined);
  const unknown = named.filter(({ kinds }) => !kinds.includes(definition.kind));
  if (unknown.length > 0) {
    throw invalidFields(
      unknown.map(({ field }) => ({
        field,
        message: notAllowedFor(`a column of kind ${definition.kind}`),
      })),
    );
  }
  if (named.length === 0 || definition.kind === 'weight' || definition.kind === 'coded') return null;
  if (definition.kind === 'computed') {
    const { expression, type } = definition;
    return { kind: 'computed', expression: changes.expression ?? expression, type: changes.type ?? type };
  }
  const filter: unknown = changes.filter === undefined ? definition.filter : (changes.filter ?? undefined);
  const on = { source: definition.source, filter, sourceField: 'column_code', rulePlace: changes.rulePlace };
  return { kind: 'transform', transform: mergeTransform(definition, values, changes), ...on };
}

type TransformDefinition = Extract<DerivedColumnRow['definition'], { source: string }>;

function mergeTransform(
  definition: TransformDefinition,
  values: readonly ColumnValue[],
  changes: ColumnChanges,
): Transform {
  switch (definition.kind) {
    case 'recode': {
      const measure = changes.measure ?? definition.measure;
      return { kind: 'recode', rules: changes.rules ?? definition.rules, ...(measure && { measure }) };
    }
    case 'normalize':
      return {
        kind: 'normalize',
        frozen: changes.frozen ?? false,
        outside: changes.outside ?? definition.outside ?? 'clip',
      };
    case 'z_scores': {
      const staysFrozen = changes.weight !== undefined && definition.frozen !== undefined;
      const weight = changes.weight === undefined ? (definition.weight ?? null) : changes.weight;
      return { kind: 'z_scores', frozen: changes.frozen ?? staysFrozen, weight };
    }
    case 'bin': {
      const { breaks, openEnded } = definition;
      const remaining = changes.cuts === undefined ? values.map(({ label }) => label) : null;
      return {
        kind: 'bin',
        cuts: changes.cuts ?? { method: 'custom', breaks, openEnded },
        labels: changes.labels ?? remaining,
      };
    }
    case 'text':
      return { kind: 'text', operations: changes.operations ?? definition.operations };
  }
}

/** Preserves frozen parameters and value labels that the change does not mention. */
export function preserveUnchangedParts(
  before: DerivedColumnFields,
  after: DerivedColumnFields,
  { frozen, weight, rules, cuts }: ColumnChanges,
): DerivedColumnFields {
  const previous = before.definition;
  const { definition } = after;
  const remaining = { ...after };
  if (
    frozen === undefined &&
    previous.kind === 'normalize' &&
    definition.kind === 'normalize' &&
    previous.frozen !== undefined
  )
    remaining.definition = { ...definition, frozen: previous.frozen };
  if (
    frozen === undefined &&
    weight === undefined &&
    previous.kind === 'z_scores' &&
    definition.kind === 'z_scores' &&
    previous.frozen !== undefined
  )
    remaining.definition = { ...definition, frozen: previous.frozen };
  if (rules === undefined && cuts === undefined) {
    const known = new Map(before.column_values.map((value) => [value.value, value]));
    remaining.column_values = after.column_values.map((value) => {
      const { label, missing } = known.get(value.value) ?? value;
      return { ...value, label: definition.kind === 'bin' ? value.label : label, missing };
    });
  }
  return remaining;
}

/** Throws 400 for a value that the column does not have. */
export function relabelValues(
  values: readonly ColumnValue[],
  { values: wanted = [] }: ColumnChanges,
): ColumnValue[] {
  const changed = values.map((value) => ({ ...value }));
  wanted.forEach(({ value, label, missing }, index) => {
    const known = changed.find((one) => one.value === value);
    if (known === undefined)
      throw invalid(`values[${index}].value`, unknownValue(value, 'a value of this column'));
    known.label = label ?? known.label;
    known.missing = missing ?? known.missing;
  });
  return changed;
}
