/** Returns the JSON text of a value with sorted keys: equal for equal values, since the order of keys means nothing and the database does not keep it. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value ?? null, withSortedKeys);

const withSortedKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
