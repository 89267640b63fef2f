import { expect, it } from 'vitest';
import { queryRow } from '../../../src/db/rows.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();

it('returns bigint values as numbers, in arrays too', async () => {
  const row = await queryRow<object>(
    database.db,
    `SELECT 7::bigint AS one, ARRAY[7, NULL, 9007199254740991]::bigint[] AS several, NULL::bigint[] AS none`,
  );
  expect(row).toEqual({ one: 7, several: [7, null, 9007199254740991], none: null });
});
