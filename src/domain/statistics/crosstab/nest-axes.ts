import { unprocessable } from '../../../lib/errors.ts';
import type { Axis, AxisCategory } from './axis.ts';
import { columnCodesOf } from './axis.ts';
import { type Coding, combineCodings, MAX_CODING_SIZE, type Region } from './coding.ts';
import { MAX_CELLS } from './limits.ts';

/** Every coding is an Int16 per response. */
const MAX_CODINGS = 60;

/** Nests every category of `inner` within every category of `outer`. The base are the respondents in both bases. */
export function nestAxes(outer: Axis, inner: Axis, rowCount: number): Axis {
  const names = [...columnCodesOf(outer), ...columnCodesOf(inner)].join(' > ');
  const categories = outer.categories.length * inner.categories.length;
  if (categories > MAX_CELLS) {
    throw tooLarge(`${names} nested has ${categories} categories, a table at most ${MAX_CELLS} cells`);
  }
  const codings: Coding[] = [];
  const combined = new Map<string, number>();
  const regionOf = (out: Region, within: Region): Region => {
    const key = `${out.coding} ${within.coding}`;
    const [first, second] = [outer.codings[out.coding]!, inner.codings[within.coding]!];
    let coding = combined.get(key);
    if (coding === undefined) {
      if (codings.length >= MAX_CODINGS || first.size * second.size > MAX_CODING_SIZE) {
        throw tooLarge(`${names} cannot be nested: together they have too many categories`);
      }
      coding = codings.push(combineCodings(first, second, rowCount)) - 1;
      combined.set(key, coding);
    }
    const slots = out.slots.flatMap((slot) => within.slots.map((inside) => slot * second.size + inside));
    return { coding, slots };
  };
  const base = regionOf(outer.base, inner.base);
  return {
    specs: [...outer.specs, ...inner.specs],
    base,
    categories: outer.categories.flatMap((out, index) =>
      inner.categories.map((within): AxisCategory => ({
        steps: [...out.steps, ...within.steps],
        region: regionOf(out.region, within.region),
        missing: out.missing || within.missing,
        isNet: out.isNet || within.isNet,
        // Compares the categories of the innermost variable within the same outer category.
        family: within.family === null ? null : index,
      })),
    ),
    codings,
    overlaps: outer.overlaps || inner.overlaps,
    hasMean: false,
  };
}

function tooLarge(message: string) {
  return unprocessable('crosstab_too_large', message);
}
