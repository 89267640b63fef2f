import type { Knex } from 'knex';
import type { Database } from './connect.ts';

/**
 * For `where({ question_id: anyOf(db, ids) })`: `= ANY(?)` binds the whole list as one value, where `whereIn` binds each id. Plans are
 * shared by lists of every length, and no list reaches PostgreSQL's limit of 65,535 values.
 */
export const anyOf = (db: Database, ids: readonly number[]): Knex.Raw<number> =>
  db.raw('ANY(?::bigint[])', [[...ids]]);
