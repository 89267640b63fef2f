import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';

type Nullable<Row> = { [K in keyof Row]-?: null extends Row[K] ? K : never }[keyof Row];

/**
 * What a statement writes: a value, or an expression of the database as `db.fn.now()`. A JSON column takes JSON text, since the driver
 * would send an array as an array of PostgreSQL.
 */
type Written<Row, Json extends keyof Row> = {
  [K in keyof Row]: (K extends Json ? (null extends Row[K] ? string | null : string) : Row[K]) | Knex.Raw;
};

type MayOmit<Row, Keys extends keyof Row> = Omit<Row, Keys> & Partial<Pick<Row, Keys>>;

/**
 * One table for Knex. `Row` is what a query returns. `Defaulted`: columns that an insert may leave out, besides nullable ones.
 * `Json`: columns of the type jsonb. `Generated`: columns that PostgreSQL computes and no statement may write.
 */
export type Table<
  Row extends object,
  Defaulted extends keyof Row = never,
  Json extends keyof Row = never,
  Generated extends keyof Row = never,
> = Knex.CompositeTableType<
  Row,
  MayOmit<Omit<Written<Row, Json>, Generated>, Exclude<Defaulted | Nullable<Row>, Generated>>,
  Partial<Omit<Written<Row, Json>, Generated>>
>;

declare module 'knex/types/result.js' {
  interface Registry {
    /** The driver parses bigint to a number (db/connect.ts). */
    Count: number;
  }
}

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
