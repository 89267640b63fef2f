/** A value within a JSON value, with its context. */
export interface Place {
  path: string;
  /** The nearest member's name; an item of a list has the name of the list. */
  name: string;
  value: unknown;
  replace(value: unknown): void;
  remove(): void;
}

/** All of it, from the outside in; the whole itself is none. */
export function listPlaces(whole: unknown, path = '', name = ''): Place[] {
  if (Array.isArray(whole)) {
    const items = whole as unknown[];
    return items.flatMap((value, index) => [
      {
        path: `${path}[${index}]`,
        name,
        value,
        replace: (other: unknown) => (items[index] = other),
        remove: () => void items.splice(index, 1),
      },
      ...listPlaces(value, `${path}[${index}]`, name),
    ]);
  }
  if (typeof whole !== 'object' || whole === null) return [];
  const members = whole as Record<string, unknown>;
  return Object.keys(members).flatMap((key) => [
    {
      path: path === '' ? key : `${path}.${key}`,
      name: key,
      value: members[key],
      replace: (other: unknown) => (members[key] = other),
      remove: () => void delete members[key],
    },
    ...listPlaces(members[key], path === '' ? key : `${path}.${key}`, key),
  ]);
}

/** Every object in it, the whole first. */
export function listObjects(whole: unknown): Record<string, unknown>[] {
  const inner = listPlaces(whole).map(({ value }) => value);
  return [whole, ...inner].filter(
    (value): value is Record<string, unknown> =>
      typeof value === 'object' && value !== null && !Array.isArray(value),
  );
}
