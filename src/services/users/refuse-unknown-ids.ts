import { unknownObject } from '../../lib/error-messages.ts';
import { invalidFields } from '../../lib/errors.ts';

/** Throws 400 naming each id that does not exist, is deleted or belongs to another organization. */
export function refuseUnknownIds(
  field: string,
  kind: string,
  ids: readonly number[],
  known: ReadonlySet<number>,
): void {
  const details = ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ field: `${field}[${index}]`, message: unknownObject(kind, id, 'in this organization') }],
  );
  if (details.length > 0) throw invalidFields(details);
}
