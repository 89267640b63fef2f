import { useApp } from '../../support/app.ts';
import { researchRows } from '../../support/permission-matrix/all-rows.ts';
import { tryEveryCell } from '../../support/permission-matrix/matrix.ts';
import { useFixtures } from '../../support/permission-matrix/fixtures.ts';

const test = useApp();
tryEveryCell(useFixtures(test), test, researchRows);
