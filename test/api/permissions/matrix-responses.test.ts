import { useApp } from '../../support/app.ts';
import { tryEveryCell } from '../../support/permission-matrix/matrix.ts';
import { responseRows } from '../../support/permission-matrix/response-rows.ts';
import { useWorld } from '../../support/permission-matrix/world.ts';

const test = useApp();
tryEveryCell(useWorld(test), test, responseRows);
