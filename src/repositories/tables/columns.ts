import type { Tables } from 'knex/types/tables.js';

type ColumnOf<Name extends keyof Tables> = keyof Tables[Name]['base'] & string;

/** Prefixes columns with their table, for a query on several tables: `qualifyColumns('groups', ['group_id'])` returns `['groups.group_id']`. */
export function qualifyColumns<Name extends keyof Tables, Column extends ColumnOf<Name>>(
  table: Name,
  columns: readonly Column[],
): `${Name}.${Column}`[] {
  return columns.map((column) => `${table}.${column}` as const);
}
