import { z } from 'zod';

type Nullish<S extends z.ZodRawShape> = { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> };

/** Schema of a change of settings: an absent key keeps its value, null restores the default. */
export function settingsChangesSchema<S extends z.ZodRawShape>(
  shape: S,
): z.ZodObject<Nullish<S>, z.core.$strict> {
  const changes = Object.entries(shape).map(([key, schema]) => [key, (schema as z.ZodType).nullish()]);
  // Each entry is derived from the one with the same key, which the compiler cannot follow through `Object.entries`.
  return z.strictObject(Object.fromEntries(changes) as Nullish<S>);
}

/** Applies a change to stored settings, which contain only values that differ from the default: null removes a key. */
export function mergeSettings(
  stored: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = new Map(Object.entries(stored));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) merged.delete(key);
    else if (value !== undefined) merged.set(key, value);
  }
  return Object.fromEntries(merged);
}
