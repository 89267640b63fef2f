import { expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';

const app = useApp();

test('several processes that start concurrently create one organization', async () => {
  const { setup } = app.container.services;
  const administrator = { email: 'admin@example.org', password: 'a long enough password', apiKey: null };
  const results = await Promise.all(Array.from({ length: 4 }, () => setup.firstStart(administrator)));
  const created = results.filter((result) => result !== null);
  expect(created).toHaveLength(1);
  // What the settings supply is never printed, nor anything that signs in without it.
  expect(created[0]).toMatchObject({ generatedPassword: null, generatedApiKey: null, signInToken: null });
  const { rows } = await app.database.db.raw<{ rows: { count: number }[] }>(
    'SELECT count(*) FROM organizations',
  );
  expect(rows).toEqual([{ count: 1 }]);
});
