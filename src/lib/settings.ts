import { z } from 'zod';

type Nullish<S extends z.ZodRawShape> = { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> };

/** What a client may send to change settings of this shape: an absent key keeps its value, null brings back the default. */
export function settingsChangesSchema<S extends z.ZodRawShape>(
  shape: S,
): z.ZodObject<Nullish<S>, z.core.$strict> {
  const changes = Object.entries(shape).map(([key, schema]) => [key, (schema as z.ZodType).nullish()]);
  // Each entry is made of the one with the same key, which the compiler cannot follow through entries.
  return z.strictObject(Object.fromEntries(changes) as Nullish<S>);
}

/** Stored settings hold only what was chosen: a changed key replaces, null removes. */
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
