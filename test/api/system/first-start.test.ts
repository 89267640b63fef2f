import { expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';

const app = useApp();

test('several processes that start concurrently create one organization', async () => {
  const { setup } = app.container.services;
  const administrator = { email: 'admin@example.org', password: 'a long enough password', apiKey: null };
  const results = await Promise.all(Array.from({ length: 4 }, () => setup.firstStart(administrator)));
  expect(results.filter((result) => result !== null)).toHaveLength(1);
  const { rows } = await app.database.db.raw<{ rows: { count: number }[] }>(
    'SELECT count(*) FROM organizations',
  );
  expect(rows).toEqual([{ count: 1 }]);
});
