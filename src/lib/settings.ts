import { isDeepStrictEqual } from 'node:util';
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

/**
 * Returns stored settings after a change; null removes all. `current`: the settings as clients read them, with defaults. Ignores settings
 * that are sent back as they were read, so that defaults are not stored.
 */
export function changeSettings(
  stored: Readonly<Record<string, unknown>>,
  current: object,
  changes: Readonly<Record<string, unknown>> | null | undefined,
): Record<string, unknown> {
  if (changes === null) return {};
  const known = new Map<string, unknown>(Object.entries(current));
  const differing = Object.entries(changes ?? {}).filter(
    ([key, value]) => !isDeepStrictEqual(known.get(key), value),
  );
  return mergeSettings(stored, Object.fromEntries(differing));
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
