import type { Numbers, TextValues } from './value-readers.ts';

/** From the last argument to the first, each condition taking its rows from what was decided before. */
export function compileNumberBranches(operands: readonly Numbers[], out: Float64Array): Numbers {
  const last = operands.length % 2 === 1 ? operands.at(-1) : undefined;
  return (first, count) => {
    if (last) out.set(last(first, count).subarray(0, count));
    else out.fill(NaN, 0, count);
    for (let index = operands.length - (last ? 3 : 2); index >= 0; index -= 2) {
      const holds = operands[index]!(first, count);
      const values = operands[index + 1]!(first, count);
      for (let row = 0; row < count; row++) {
        const holding = holds[row]!;
        if (holding !== 0) out[row] = holding === 1 ? values[row]! : NaN;
      }
    }
    return out;
  };
}

/** `conditions` and `values` stand where the arguments do, null in the places of the others. */
export function compileTextBranches(
  conditions: readonly (Numbers | null)[],
  values: readonly (TextValues | null)[],
  out: (string | null)[],
): TextValues {
  return (first, count) => {
    const held = conditions.map((condition) => condition?.(first, count) ?? new Float64Array(0));
    const texts = values.map((value) => value?.(first, count) ?? []);
    for (let row = 0; row < count; row++) out[row] = texts[chooseBranch(held, row)]?.[row] ?? null;
    return out;
  };
}

/** Which argument of if and case is taken; -1 is null: where no condition holds, or one is unknown before any does. */
function chooseBranch(args: readonly Float64Array[], row: number): number {
  let index = 0;
  for (; index < args.length - 1; index += 2) {
    const holds = args[index]![row]!;
    if (holds === 1) return index + 1;
    if (Number.isNaN(holds)) return -1;
  }
  return index < args.length ? index : -1;
}
