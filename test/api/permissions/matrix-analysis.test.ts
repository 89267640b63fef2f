import { useApp } from '../../support/app.ts';
import { useFakeLanguage } from '../../support/fake-language.ts';
import { analysisRows } from '../../support/permission-matrix/analysis-rows.ts';
import { tryEveryCell } from '../../support/permission-matrix/matrix.ts';
import { useWorld } from '../../support/permission-matrix/world.ts';

const fake = useFakeLanguage();
const test = useApp(() => fake.settings());
tryEveryCell(useWorld(test), test, analysisRows);
