import type { ColumnSpec } from '../../dataset/columns/column-spec.ts';
import { MISSING_SLOTS, NOT_SHOWN } from '../../dataset/columns/missing.ts';
import { invalid } from '../../../lib/errors.ts';
import { quote } from '../../../lib/quote.ts';
import type { Base } from '../base.ts';
import { allowsMeans } from '../allows-means.ts';
import type { Axis, AxisCategory, AxisValue, Net, CategoryStep } from './axis.ts';
import type { Coding } from './coding.ts';

/** Which of the values each net holds, by their place. 400 for a value that is none. */
export function resolveNetValues(net: Net, values: readonly AxisValue[]): number[] {
  const positions = net.values.map((wanted, index) => {
    const position = values.findIndex(({ value }) => value === wanted);
    if (position < 0) {
      const some = values.slice(0, 10).map(({ value }) => quote(value));
      const known = `${some.join(', ')}${values.length > some.length ? ', …' : ''}`;
      throw invalid(
        `${net.field}[${index}]`,
        `${quote(wanted)} is no value of ${net.columnCode}; values: ${known}`,
      );
    }
    return position;
  });
  return [...new Set(positions)];
}

/** A value of a variable as a category's step. */
export function valueStep({ columnCode }: ColumnSpec, { code, value, label }: AxisValue): CategoryStep {
  return { columnCode, code, value, label, values: null };
}

/** A net as a category's step. */
export function netStep({ columnCode, label, values }: Net): CategoryStep {
  return { columnCode, code: null, value: null, label, values };
}

/** Each row's place among the values of a variable; where it has none, -1 to -3 as of CategoricalColumn. */
export type ValueIndices = Pick<Coding, 'indices' | 'counted'>;

/**
 * An axis of a variable that has one of `values` per row. Values flagged as missing are categories only where the base takes them in.
 */
export function createSingleChoiceAxis(
  spec: ColumnSpec,
  values: readonly AxisValue[],
  positions: ValueIndices,
  { nets, base }: { nets: readonly Net[]; base: Base },
): Axis {
  // The reasons for missing come first.
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
    // Values outside the base are outside the net.
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
    codings: [codingOf(positions, offset, size)],
    categories: [...listed, ...netted],
    base: { coding: 0, slots: inBase },
    overlaps: false,
    hasMean: allowsMeans(spec) && values.length > 0,
  };
}

/** The slot of each row is asked for when somebody needs it. */
function codingOf(positions: ValueIndices, offset: number, size: number): Coding {
  return {
    get indices() {
      return positions.indices;
    },
    offset,
    size,
    counted: positions.counted,
  };
}
