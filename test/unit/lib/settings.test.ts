import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { settingsChangesSchema, mergeSettings } from '../../../src/lib/settings.ts';

describe('changed settings', () => {
  it('replace the given keys, remove null keys and keep the others', () => {
    const stored = { a: 1, b: 2, c: 3 };
    expect(mergeSettings(stored, { a: 5, b: null, c: undefined, d: [] })).toEqual({ a: 5, c: 3, d: [] });
    expect(stored).toEqual({ a: 1, b: 2, c: 3 });
  });

  it('treat names inherited from Object.prototype as ordinary keys', () => {
    const changes = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}') as Record<
      string,
      unknown
    >;
    const merged = mergeSettings({}, changes);
    expect(Object.keys(merged).sort()).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });

  it('may omit or clear each key, but have no unknown keys', () => {
    const schema = settingsChangesSchema({ a: z.number(), b: z.string() });
    for (const good of [{}, { a: 1 }, { a: null, b: 'x' }]) expect(schema.parse(good)).toEqual(good);
    for (const bad of [{ a: '1' }, { c: 1 }]) expect(schema.safeParse(bad).success).toBe(false);
  });
});
