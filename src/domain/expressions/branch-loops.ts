import type { Numbers, TextValues } from './value-readers.ts';

/** Evaluates from the last argument to the first, so that an earlier condition overwrites later results. */
export function compileNumberBranches(operands: readonly Numbers[], out: Float64Array): Numbers {
  const last = operands.length % 2 === 1 ? operands.at(-1) : undefined;
  return (first, count) => {
    if (last) out.set(last(first, count).subarray(0, count));
    else out.fill(NaN, 0, count);
    for (let index = operands.length - (last ? 3 : 2); index >= 0; index -= 2) {
      const conditionValues = operands[index]!(first, count);
      const values = operands[index + 1]!(first, count);
      for (let row = 0; row < count; row++) {
        const condition = conditionValues[row]!;
        if (condition !== 0) out[row] = condition === 1 ? values[row]! : NaN;
      }
    }
    return out;
  };
}

/** `conditions` and `values` have the positions of the arguments, null for arguments of the other kind. */
export function compileTextBranches(
  conditions: readonly (Numbers | null)[],
  values: readonly (TextValues | null)[],
  out: (string | null)[],
): TextValues {
  return (first, count) => {
    const conditionValues = conditions.map((condition) => condition?.(first, count) ?? new Float64Array(0));
    const texts = values.map((value) => value?.(first, count) ?? []);
    for (let row = 0; row < count; row++) out[row] = texts[chooseBranch(conditionValues, row)]?.[row] ?? null;
    return out;
  };
}

/** The index of the chosen argument of if and case. -1 is null: no condition is true, or one is unknown before any is true. */
function chooseBranch(args: readonly Float64Array[], row: number): number {
  let index = 0;
  for (; index < args.length - 1; index += 2) {
    const condition = args[index]![row]!;
    if (condition === 1) return index + 1;
    if (Number.isNaN(condition)) return -1;
  }
  return index < args.length ? index : -1;
}
