import { invalidFields } from '../../lib/errors.ts';

/** 400 that names each element of a list of ids that belongs to nothing of ours: missing, deleted or another organization's. */
export function refuseUnknownIds(
  field: string,
  what: string,
  ids: readonly number[],
  known: ReadonlySet<number>,
): void {
  const details = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ field: `${field}[${index}]`, message: `no ${what} ${id} in this organization` }],
  );
  if (details.length > 0) throw invalidFields(details);
}
