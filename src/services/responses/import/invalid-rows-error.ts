import type { RowError } from '../../../domain/import/import-report.ts';
import { type AppError, invalidFields } from '../../../lib/errors.ts';

const MAX_DETAILS = 100;

/** A 400 error that lists the invalid rows because of which nothing is written. */
export function invalidRowsError(errors: readonly RowError[]): AppError {
  return invalidFields(
    errors
      .flatMap(({ row, details }) =>
        details.map(({ column, message }) => ({
          field: `rows[${row}]${column === '' ? '' : `.${column}`}`,
          message,
        })),
      )
      .slice(0, MAX_DETAILS),
  );
}
