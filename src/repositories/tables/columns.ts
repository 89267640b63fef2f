import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';

type ColumnOf<Name extends keyof Tables> = keyof Tables[Name]['base'] & string;

/** Prefixes columns with their table, for a query on several tables: `qualifyColumns('groups', ['group_id'])` returns `['groups.group_id']`. */
export function qualifyColumns<Name extends keyof Tables, Column extends ColumnOf<Name>>(
  table: Name,
  columns: readonly Column[],
): `${Name}.${Column}`[] {
  return columns.map((column) => `${table}.${column}` as const);
}

/** The same for conditions: `where(qualifyValues('links', { survey_id: 7 }))`. null means IS NULL. */
export function qualifyValues<Name extends keyof Tables>(
  table: Name,
  values: { [Column in ColumnOf<Name>]?: Tables[Name]['base'][Column] | Knex.Raw | null },
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([column, value]) => [`${table}.${column}`, value]));
}
