import { useApp } from '../../support/app.ts';
import { researchRows } from '../../support/permission-matrix/all-rows.ts';
import { tryEveryCell } from '../../support/permission-matrix/matrix.ts';
import { useWorld } from '../../support/permission-matrix/world.ts';

const test = useApp();
tryEveryCell(useWorld(test), test, researchRows);
