import { useApp } from '../../support/app.ts';
import { tryEveryCell } from '../../support/permission-matrix/matrix.ts';
import { surveyRows } from '../../support/permission-matrix/survey-rows.ts';
import { useWorld } from '../../support/permission-matrix/world.ts';

const test = useApp();
tryEveryCell(useWorld(test), test, surveyRows);
