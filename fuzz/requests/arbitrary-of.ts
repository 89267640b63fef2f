import fc from 'fast-check';
import type { z } from 'zod';

/** Values that fit a field of this name in the fixtures of the run; null for an unlisted name. */
export type KnownValues = (name: string) => fc.Arbitrary<unknown> | null;

/** In the place of an optional member that is left out. */
const ABSENT = Symbol('absent');
const MAX_DEPTH = 5;
const MAX_ITEMS = 3;

interface Place {
  /** The member that it is the value of, or of which it is an item. */
  name: string;
  depth: number;
  known: KnownValues;
}

/**
 * Values that a schema probably accepts; callers skip those that it refuses because of rules in code. Throws for an unsupported kind of
 * schema.
 */
export function arbitraryOf(schema: z.ZodType, known: KnownValues): fc.Arbitrary<unknown> {
  return valuesOf(schema, { name: '', depth: 0, known });
}

function valuesOf(schema: z.core.$ZodType, place: Place): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const known = place.known(place.name);
  if (known !== null && isScalar(def.type))
    return fc.oneof({ weight: 5, arbitrary: known }, { weight: 1, arbitrary: ownValues(schema, place) });
  return ownValues(schema, place);
}

const isScalar = (type: string): boolean =>
  ['string', 'number', 'pipe', 'union', 'custom', 'unknown'].includes(type);

function ownValues(schema: z.core.$ZodType, place: Place): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
      return texts(schema);
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'null':
      return fc.constant(null);
    case 'unknown':
    case 'any':
      return fc.jsonValue({ maxDepth: 2 });
    case 'custom':
      return fc.dictionary(fc.constantFrom('Q1', 'Q2', 'Q3'), fc.constantFrom('1', 2, 'said'));
    case 'never':
      return fc.constant(ABSENT);
    case 'optional':
      return fc.oneof(
        { weight: 3, arbitrary: fc.constant(ABSENT) },
        { weight: 1, arbitrary: valuesOf(def.innerType, place) },
      );
    case 'default':
      return fc.oneof(
        { weight: 3, arbitrary: fc.constant(ABSENT) },
        { weight: 1, arbitrary: valuesOf(def.innerType, place) },
      );
    case 'nullable':
      return fc.oneof(
        { weight: 1, arbitrary: fc.constant(null) },
        { weight: 3, arbitrary: valuesOf(def.innerType, place) },
      );
    case 'pipe':
      return valuesOf(isTransform(def.in) || isText(def.out) ? def.out : def.in, place);
    case 'lazy':
      return place.depth > MAX_DEPTH ? fc.constant(null) : valuesOf(def.getter(), deeper(place));
    case 'union':
      return fc.oneof(...def.options.map((option) => valuesOf(option, place)));
    case 'object':
      return objects(def.shape, place);
    case 'record':
      return fc
        .array(fc.tuple(valuesOf(def.keyType, deeper(place)), valuesOf(def.valueType, deeper(place))), {
          maxLength: MAX_ITEMS,
        })
        .map((entries) =>
          Object.fromEntries(
            entries.filter(([, value]) => value !== ABSENT).map(([key, value]) => [String(key), value]),
          ),
        );
    case 'array':
      return arrays(schema, def.element, place);
    case 'tuple':
      return fc.tuple(...def.items.map((item) => valuesOf(item, deeper(place))));
    default:
      throw new Error(`Nobody knows yet how to make a value for a schema of the kind "${def.type}"`);
  }
}

const isTransform = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def.type === 'transform';
const isText = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def.type === 'string';
const deeper = (place: Place): Place => ({ ...place, depth: place.depth + 1 });

function objects(shape: Record<string, z.core.$ZodType>, place: Place): fc.Arbitrary<unknown> {
  const names = Object.keys(shape);
  if (place.depth > MAX_DEPTH) return fc.constant({});
  const values = names.map((name) => valuesOf(shape[name]!, { ...deeper(place), name }));
  return fc
    .tuple(...values)
    .map((values) =>
      Object.fromEntries(
        names.map((name, index) => [name, values[index]]).filter(([, value]) => value !== ABSENT),
      ),
    );
}

/** The combined bounds of the checks of a schema. */
interface Bounds {
  minimum?: number;
  maximum?: number;
  pattern?: RegExp;
  format?: string;
}

/** Of a check, or of the schema itself where it is a format. */
interface CheckDefinition {
  check?: string;
  minimum?: number;
  maximum?: number;
  value?: unknown;
  pattern?: RegExp;
  format?: string;
}

function boundsOf(schema: z.core.$ZodType): Bounds {
  const own = schema._zod.def as CheckDefinition & { checks?: readonly z.core.$ZodCheck[] };
  const bounds: Bounds = {};
  for (const each of [own, ...(own.checks ?? []).map((check) => check._zod.def as CheckDefinition)]) {
    if (each.minimum !== undefined) bounds.minimum = each.minimum;
    if (each.maximum !== undefined) bounds.maximum = each.maximum;
    if (each.check === 'greater_than' && typeof each.value === 'number') bounds.minimum = each.value;
    if (each.check === 'less_than' && typeof each.value === 'number') bounds.maximum = each.value;
    if (each.pattern !== undefined) bounds.pattern ??= each.pattern;
    if (each.format !== undefined && each.format !== 'regex') bounds.format = each.format;
  }
  return bounds;
}

function arrays(schema: z.core.$ZodType, element: z.core.$ZodType, place: Place): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = MAX_ITEMS } = boundsOf(schema);
  const most = Math.max(minimum, Math.min(maximum, MAX_ITEMS));
  return fc
    .array(valuesOf(element, deeper(place)), { minLength: minimum, maxLength: most })
    .map((items) => items.filter((item) => item !== ABSENT));
}

function numbers(schema: z.core.$ZodType): fc.Arbitrary<number> {
  const { minimum = -1_000, maximum = 1_000_000, format } = boundsOf(schema);
  const from = Math.max(minimum, -1_000_000);
  const to = Math.max(from, Math.min(maximum, 1_000_000));
  const [least, most] = [Math.ceil(from), Math.floor(to)];
  const fractions = fc.double({ min: from, max: to, noNaN: true });
  if (least > most) return fractions;
  const integers = fc.integer({ min: least, max: most });
  return format === undefined ? fc.oneof(integers, fractions) : integers;
}

const WORDS = fc.constantFrom(
  'Coffee',
  'How often?',
  'Très bien',
  'Ж',
  '=SUM(A1)',
  '你好',
  'a,b;"c"',
  '<b>x</b>',
  'line\nline',
);

function texts(schema: z.core.$ZodType): fc.Arbitrary<string> {
  const { minimum = 0, maximum = 60, pattern, format } = boundsOf(schema);
  if (format === 'email') return fc.nat(1e6).map((number) => `fuzz-${number}@people.example`);
  if (format === 'uuid') return fc.uuid();
  if (format === 'datetime') return moments.map((date) => date.toISOString());
  if (format === 'date') return moments.map((date) => date.toISOString().slice(0, 10));
  const least = Math.min(minimum, 5_000);
  if (pattern !== undefined) return matching(pattern);
  return fc.oneof(
    WORDS.map((word) => word.padEnd(least, 'x').slice(0, Math.max(least, maximum))),
    fc.string({
      minLength: least,
      maxLength: Math.min(Math.max(least, maximum), least + 60),
      unit: 'grapheme',
    }),
  );
}

const moments = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });

/** The pattern itself allows both cases; enumerating Unicode classes would take seconds. */
function matching(pattern: RegExp): fc.Arbitrary<string> {
  const words = fc.constantFrom('Coffee', 'Très bien', 'x-1').filter((word) => pattern.test(word));
  if (/\\p\{/i.test(pattern.source)) return words;
  try {
    return fc.stringMatching(new RegExp(pattern.source, pattern.unicode ? 'u' : ''), { size: 'small' });
  } catch {
    return words;
  }
}
