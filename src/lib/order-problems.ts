import type { ErrorDetail } from './errors.ts';

/** Throws if a new order does not name every existing item exactly once. */
export function findOrderProblems(
  field: string,
  given: readonly number[],
  existing: readonly { id: number }[],
  what: string,
): ErrorDetail[] {
  const missing = new Set(existing.map(({ id }) => id));
  const known = new Set(missing);
  const problems = given.flatMap((id, index): ErrorDetail[] => {
    if (missing.delete(id)) return [];
    const message = known.has(id) ? `${what} ${id} is named twice` : `there is no ${what} ${id} here`;
    return [{ field: `${field}[${index}]`, message }];
  });
  if (missing.size > 0) {
    const left = [...missing].slice(0, 20).join(', ');
    problems.push({
      field,
      message: `must name every ${what}; missing: ${left}${missing.size > 20 ? ', …' : ''}`,
    });
  }
  return problems;
}
