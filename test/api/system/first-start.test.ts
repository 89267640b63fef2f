import { expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';

const on = useApp();

test('several processes that start at once create one organization', async () => {
  const { setup } = on.container.services;
  const given = { email: 'admin@example.org', password: 'a long enough password', apiKey: null };
  const made = await Promise.all(Array.from({ length: 4 }, () => setup.firstStart(given)));
  expect(made.filter((one) => one !== null)).toHaveLength(1);
  const { rows } = await on.database.db.raw<{ rows: { count: number }[] }>(
    'SELECT count(*) FROM organizations',
  );
  expect(rows).toEqual([{ count: 1 }]);
});
