import { expect, it } from 'vitest';
import { routes } from '../../../src/routes/index.ts';
import { dashboardRows } from '../../support/permission-matrix/dashboard-rows.ts';
import { peopleRows } from '../../support/permission-matrix/people-rows.ts';
import { reportRows } from '../../support/permission-matrix/report-rows.ts';
import { responseRows } from '../../support/permission-matrix/response-rows.ts';
import { surveyRows } from '../../support/permission-matrix/survey-rows.ts';

it('every declared route has a row in one of the matrices beside this file, and every row a route', () => {
  const rows = [surveyRows, responseRows, dashboardRows, reportRows, peopleRows].flatMap((each) =>
    Object.keys(each),
  );
  expect(rows.sort()).toEqual(routes.map(({ operationId }) => operationId).sort());
});
