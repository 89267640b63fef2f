import { useApp } from '../../support/app.ts';
import { researchRows } from '../../support/permission-matrix/all-rows.ts';
import { testPermissions } from '../../support/permission-matrix/matrix.ts';
import { useFixtures } from '../../support/permission-matrix/fixtures.ts';

const test = useApp();
testPermissions(useFixtures(test), test, researchRows);
