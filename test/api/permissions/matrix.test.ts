import { expect, it } from 'vitest';
import { routes } from '../../../src/routes/index.ts';
import { allRows } from '../../support/permission-matrix/all-rows.ts';

it('every declared route has a row in a permission matrix, and every row a route', () => {
  expect(Object.keys(allRows).sort()).toEqual(routes.map(({ operationId }) => operationId).sort());
});
