import { expect, it } from 'vitest';
import { watchStatements } from '../../../support/fan-out/watch-statements.ts';
import { useDatabase } from '../../../support/database.ts';

const database = useDatabase();

it('reports executed statements of the query builder, its clones and raw SQL, also in transactions', async () => {
  const seen: string[] = [];
  const db = watchStatements(database.db, (sql) => seen.push(sql));
  const query = db('surveys')
    .select('survey_id')
    .where('survey_name', db.raw('lower(?)', ['A']));
  expect(seen).toEqual([]);
  await query.clone().limit(1);
  await query;
  await db.transaction(async (trx) => {
    await trx('waves').where({ survey_id: 1, wave_id: 2 }).delete();
    await trx.raw('SELECT 1');
  });
  await db.select(db.raw('1 AS one'));
  expect(seen).toEqual([
    'select "survey_id" from "surveys" where "survey_name" = lower(?) limit ?',
    'select "survey_id" from "surveys" where "survey_name" = lower(?)',
    'delete from "waves" where "survey_id" = ? and "wave_id" = ?',
    'SELECT 1',
    'select 1 AS one',
  ]);
});
