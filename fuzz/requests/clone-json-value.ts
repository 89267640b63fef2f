import { RawJson, withOwnKey } from './json-text.ts';

/** Like structuredClone, but also copies RawJson and keys such as `__proto__`. */
export function cloneJsonValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return value;
  if (Array.isArray(value)) return value.map(cloneJsonValue);
  const copy: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) withOwnKey(copy, key, cloneJsonValue(each));
  return copy;
}
