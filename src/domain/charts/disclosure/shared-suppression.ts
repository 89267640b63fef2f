import type { AveragedAnswers } from '../chart-table.ts';
import type { AnswerRegion, Coding } from '../../statistics/crosstab/axis.ts';
import {
  chooseSuppressedCounts,
  type CountSum,
  createSumEquations,
  isRevealing,
  type SharedFigures,
} from './protection.ts';

/** A variable of the dashboard: the slots that have responses, and the slot of each row. */
interface Variable {
  coding: Coding;
  slots: readonly number[];
}

/** The variable and its slots, ascending. A figure is the number of responses in all of its factors. */
type Factors = ReadonlyMap<number, readonly number[]>;

/** Tables with more counts than this are protected by themselves only. */
const MAX_COUNTS = 2_500;

const contains = (whole: readonly number[], part: readonly number[]): boolean =>
  part.length < whole.length && part.every((slot) => whole.includes(slot));

const keyOf = (factors: Factors): string =>
  [...factors]
    .sort(([a], [b]) => a - b)
    .map(([variable, slots]) => `${variable}:${slots.join('.')}`)
    .join('|');

/**
 * One set of hidden counts for all elements of a dashboard that count the same responses. Elements first report their figures (`hides`
 * then returns false); `resolve` chooses the hidden ones; from then on `hides` looks them up. Figures are identified by the responses in
 * them, so a net, a top box and a cell of a table that are the same group are hidden together. All categories of a variable that an
 * element shows, and the differences of nested groups, count as shown.
 */
export class SharedSuppression implements SharedFigures {
  private readonly variables: Variable[] = [];
  private readonly known = new WeakMap<Coding, number>();
  private readonly figures = new Map<string, Factors>();
  private readonly partitions: Factors[][] = [];
  private hidden: ReadonlySet<string> | null = null;
  private readonly averages = new Map<
    string,
    { regions: readonly AnswerRegion[]; averaged: AveragedAnswers }
  >();
  private hiddenAverages: ReadonlySet<string> | null = null;

  constructor(
    /** By row: 1 if the elements count the response. */
    readonly mask: Uint8Array,
    private readonly minBase: number,
  ) {}

  /** Whether the number of responses in all of the regions is hidden. */
  hides(regions: readonly AnswerRegion[]): boolean {
    const factors = this.factorsOf(regions);
    const key = keyOf(factors);
    if (this.hidden !== null) return this.hidden.has(key);
    this.figures.set(key, factors);
    return false;
  }

  addPartition(groups: readonly (readonly AnswerRegion[])[]): void {
    if (this.hidden === null) this.partitions.push(groups.map((regions) => this.factorsOf(regions)));
  }

  /** Whether an average over the responses in all of the regions is hidden. */
  hidesAverage(regions: readonly AnswerRegion[], averaged: AveragedAnswers): boolean {
    const factors = this.factorsOf(regions);
    const variable = this.variableOf(averaged.coding);
    const key = `${keyOf(factors)} ${variable} ${averaged.slots.join()} ${averaged.numbers.join()}`;
    if (this.hiddenAverages !== null) return this.hiddenAverages.has(key);
    this.averages.set(key, { regions, averaged });
    return false;
  }

  /** Chooses the hidden counts, in small steps. */
  *resolve(): Generator<void> {
    const counts: number[] = [];
    const sums: CountSum[] = [];
    const indices = new Map<string, number>();
    const groups = new Map<string, Factors[]>();
    for (const factors of this.figures.values()) {
      const key = [...factors.keys()].sort((a, b) => a - b).join();
      groups.set(key, [...(groups.get(key) ?? []), factors]);
    }
    const seen = new Set<string>();
    const addSum = (total: number, parts: readonly number[]) => {
      const text = `${total}=${parts.join()}`;
      if (!seen.has(text)) sums.push({ total, parts });
      seen.add(text);
    };
    for (const [, figures] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const variables = [...(figures[0]?.keys() ?? [])].sort((a, b) => a - b);
      const regions = variables.map((variable) => this.regionsOf(variable, figures));
      if (regions.reduce((size, { length }) => size * length, 1) > MAX_COUNTS) continue;
      const countOf = this.counter(variables);
      const indexOf = (slots: readonly (readonly number[])[]): number => {
        const key = keyOf(this.withoutWhole(new Map(variables.map((one, at) => [one, slots[at] ?? []]))));
        const index = indices.get(key) ?? counts.push(countOf(slots)) - 1;
        indices.set(key, index);
        return index;
      };
      yield;
      for (const slots of product(regions)) {
        yield;
        const total = indexOf(slots);
        for (const [at, region] of slots.entries()) {
          if (region.length === 1) continue;
          const replace = (part: readonly number[]) => indexOf(slots.with(at, part));
          addSum(
            total,
            region.map((slot) => replace([slot])),
          );
          for (const part of regions[at] ?? [])
            if (part.length > 1 && contains(region, part))
              addSum(total, [part, region.filter((slot) => !part.includes(slot))].map(replace));
        }
      }
    }
    const whole = indices.get('');
    for (const partition of this.partitions) {
      const parts = partition.flatMap((factors) => indices.get(keyOf(factors)) ?? []);
      if (whole === undefined || parts.length < partition.length) continue;
      const others = (counts[whole] ?? 0) - parts.reduce((sum, part) => sum + (counts[part] ?? 0), 0);
      addSum(whole, others > 0 ? [...parts, counts.push(others) - 1] : parts);
    }
    const suppressed = yield* chooseSuppressedCounts(counts, sums, { minBase: this.minBase });
    this.hiddenAverages = yield* this.chooseHiddenAverages({ counts, sums, indices, suppressed });
    this.hidden = new Set([...indices].flatMap(([key, index]) => (suppressed.has(index) ? [key] : [])));
  }

  /** Shows averages, in the order of the elements, as long as none of them isolates a hidden count together with all others and the sums. */
  private *chooseHiddenAverages({
    counts,
    sums,
    indices,
    suppressed,
  }: {
    counts: readonly number[];
    sums: readonly CountSum[];
    indices: ReadonlyMap<string, number>;
    suppressed: ReadonlySet<number>;
  }): Generator<void, ReadonlySet<string>> {
    const hidden = new Set<string>();
    if (this.averages.size === 0) return hidden;
    const system = yield* createSumEquations(sums, suppressed);
    for (const [key, { regions, averaged }] of this.averages) {
      yield;
      const row = new Map<number, number>();
      for (const [at, slot] of averaged.slots.entries()) {
        const cell = this.factorsOf([...regions, { coding: averaged.coding, slots: [slot] }]);
        for (const index of partsOf(cell, indices))
          if (suppressed.has(index)) row.set(index, (row.get(index) ?? 0) + (averaged.numbers[at] ?? 0));
      }
      for (const [index, coefficient] of row) if (coefficient === 0) row.delete(index);
      const changes = [...system.changesOf(row).values()];
      if (changes.some((change) => isRevealing(change, counts, this.minBase))) hidden.add(key);
      else system.add(row);
    }
    return hidden;
  }

  /** Single answers, the whole variable, the groups of answers that figures use, and the differences of nested groups. */
  private regionsOf(variable: number, figures: readonly Factors[]): (readonly number[])[] {
    const { slots } = this.variableAt(variable);
    const used = [slots, ...figures.map((one) => one.get(variable) ?? [])];
    const differences = used.flatMap((whole) =>
      used
        .filter((part) => part.length > 1 && contains(whole, part))
        .map((part) => whole.filter((slot) => !part.includes(slot))),
    );
    const all = [...slots.map((slot) => [slot]), ...used, ...differences].filter(({ length }) => length > 0);
    return [...new Map(all.map((region) => [region.join('.'), region])).values()];
  }

  /** Counts the responses in one region of each variable. */
  private counter(variables: readonly number[]): (slots: readonly (readonly number[])[]) => number {
    const codings = variables.map((variable) => this.variableAt(variable).coding);
    const cells = new Map<number, number>();
    for (let row = 0; row < this.mask.length; row++) {
      if (this.mask[row] === 0) continue;
      let cell = 0;
      for (const { indices, offset, size } of codings) cell = cell * size + (indices[row] ?? 0) + offset;
      cells.set(cell, (cells.get(cell) ?? 0) + 1);
    }
    return (slots) => {
      let inside = [0];
      for (const [at, { size }] of codings.entries())
        inside = inside.flatMap((cell) => (slots[at] ?? []).map((slot) => cell * size + slot));
      return inside.reduce((sum, cell) => sum + (cells.get(cell) ?? 0), 0);
    };
  }

  private variableAt(variable: number): Variable {
    const found = this.variables[variable];
    if (found === undefined) throw new RangeError(`There is no variable ${variable}`);
    return found;
  }

  /** Intersects the regions by variable. Slots without responses are left out, so that equal groups have equal factors. */
  private factorsOf(regions: readonly AnswerRegion[]): Factors {
    const factors = new Map<number, readonly number[]>();
    for (const { coding, slots } of regions) {
      const variable = this.variableOf(coding);
      const within = factors.get(variable) ?? this.variableAt(variable).slots;
      factors.set(
        variable,
        within.filter((slot) => slots.includes(slot)),
      );
    }
    return this.withoutWhole(factors);
  }

  private withoutWhole(factors: Factors): Factors {
    return new Map(
      [...factors].filter(([variable, { length }]) => length < this.variableAt(variable).slots.length),
    );
  }

  /** Elements have their own codings of a column; equal ones are the same variable. */
  private variableOf(coding: Coding): number {
    const known = this.known.get(coding);
    if (known !== undefined) return known;
    const equal = this.variables.findIndex((one) => this.areEqual(one.coding, coding));
    const variable = equal >= 0 ? equal : this.variables.push({ coding, slots: this.slotsOf(coding) }) - 1;
    this.known.set(coding, variable);
    return variable;
  }

  private slotsOf({ indices, offset }: Coding): number[] {
    const slots = new Set<number>();
    for (let row = 0; row < this.mask.length; row++)
      if (this.mask[row] !== 0) slots.add((indices[row] ?? 0) + offset);
    return [...slots].sort((a, b) => a - b);
  }

  private areEqual(a: Coding, b: Coding): boolean {
    if (a.size !== b.size || a.offset !== b.offset) return false;
    const [first, second] = [a.indices, b.indices];
    for (let row = 0; row < this.mask.length; row++)
      if (this.mask[row] !== 0 && first[row] !== second[row]) return false;
    return true;
  }
}

/** The indices of the counts whose sum is the group: its own, or those of its single answers; none if no element shows them. */
function partsOf(factors: Factors, indices: ReadonlyMap<string, number>): number[] {
  const own = indices.get(keyOf(factors));
  if (own !== undefined) return [own];
  const variables = [...factors.keys()];
  return product([...factors.values()].map((slots) => slots.map((slot) => [slot]))).flatMap(
    (cell) => indices.get(keyOf(new Map(variables.map((variable, at) => [variable, cell[at] ?? []])))) ?? [],
  );
}

function product<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>(
    (found, list) => found.flatMap((one) => list.map((item) => [...one, item])),
    [[]],
  );
}
