import type { ColumnSpec } from '../../dataset/columns/column-spec.ts';
import { MISSING_SLOTS, NOT_SHOWN } from '../../dataset/columns/missing.ts';
import { unknownValue } from '../../../lib/error-messages.ts';
import { invalidReference } from '../../../lib/errors.ts';
import { quote } from '../../../lib/quote.ts';
import type { Base } from '../base.ts';
import { allowsMeans } from '../allows-means.ts';
import type { Axis, AxisCategory, AxisValue, Net, CategoryStep } from './axis.ts';
import type { Coding } from './coding.ts';

/** The indices of a net's values. Throws 400 for an unknown value. */
export function resolveNetValues(net: Net, values: readonly AxisValue[]): number[] {
  const positions = net.values.map((wanted, index) => {
    const position = values.findIndex(({ value }) => value === wanted);
    if (position < 0) {
      const some = values.slice(0, 10).map(({ value }) => quote(value));
      const accepted = `${some.join(', ')}${values.length > some.length ? ', …' : ''}`;
      throw invalidReference(
        `${net.field}[${index}]`,
        unknownValue(wanted, `a value of ${net.columnCode}`, { accepted }),
      );
    }
    return position;
  });
  return [...new Set(positions)];
}

/** A value of a variable as the step of a category. */
export function valueStep({ columnCode }: ColumnSpec, { code, value, label }: AxisValue): CategoryStep {
  return { columnCode, code, value, label, values: null };
}

/** A net as the step of a category. */
export function netStep({ columnCode, label, values }: Net): CategoryStep {
  return { columnCode, code: null, value: null, label, values };
}

/** The index of each row's value; -1 to -3 where missing, as in CategoricalColumn. */
export type ValueIndices = Pick<Coding, 'indices' | 'counted'>;

/** The axis of a variable with one of `values` per row. Values flagged as missing are categories only if the base includes them. */
export function createSingleChoiceAxis(
  spec: ColumnSpec,
  values: readonly AxisValue[],
  positions: ValueIndices,
  { nets, base }: { nets: readonly Net[]; base: Base },
): Axis {
  // The missing states come first.
  const offset = MISSING_SLOTS;
  const size = offset + values.length;
  const listed = values.flatMap((each, position): AxisCategory[] => {
    if (each.missing && base === 'answering') return [];
    return [
      {
        steps: [valueStep(spec, each)],
        region: { coding: 0, slots: [offset + position] },
        missing: each.missing,
        isNet: false,
        family: each.missing ? null : 0,
      },
    ];
  });
  const netted = nets.map((net): AxisCategory => {
    // Values outside the base are not part of the net.
    const positions = resolveNetValues(net, values).filter(
      (position) => base !== 'answering' || !values[position]!.missing,
    );
    return {
      steps: [netStep(net)],
      region: { coding: 0, slots: positions.map((position) => offset + position) },
      missing: positions.some((position) => values[position]!.missing),
      isNet: true,
      family: null,
    };
  });
  const all = Array.from({ length: size }, (_, slot) => slot);
  const inBase = {
    answering: all.filter((slot) => slot >= offset && !values[slot - offset]!.missing),
    shown: all.filter((slot) => slot !== offset - NOT_SHOWN),
    all,
  }[base];
  return {
    specs: [spec],
    codings: [createCoding(positions, offset, size)],
    categories: [...listed, ...netted],
    base: { coding: 0, slots: inBase },
    overlaps: false,
    hasMean: allowsMeans(spec) && values.length > 0,
  };
}

/** The slot of each row is computed only when needed. */
function createCoding(positions: ValueIndices, offset: number, size: number): Coding {
  return {
    get indices() {
      return positions.indices;
    },
    offset,
    size,
    counted: positions.counted,
  };
}
