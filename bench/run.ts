/** `npm run bench [name…]`: measures, each a ratio to a yardstick within the same run. See README.md. */
import { parseArgs } from 'node:util';
import { analysis } from './analysis.ts';
import { askingAgain } from './asking-again.ts';
import { chartBatch } from './chart-batch.ts';
import { coldStart } from './cold-start.ts';
import { collecting } from './collecting.ts';
import { collectingQuotas } from './collecting-quotas.ts';
import { crosstabs } from './crosstab.ts';
import { computedColumns } from './computed-columns.ts';
import { csvExport } from './csv-export.ts';
import { distribution } from './distribution.ts';
import { exports } from './exports.ts';
import { findReplace } from './find-replace.ts';
import { logic } from './logic.ts';
import { loginTime } from './login-time.ts';
import { publicView } from './public-view.ts';
import { type Figure, printFigure } from './support/figure.ts';
import { openStage, type Stage } from './support/stage.ts';
import { reports } from './reports.ts';
import { surveyRead } from './survey-read.ts';
import { validation } from './validation.ts';
import { waveProgress } from './wave-progress.ts';
import { weighting } from './weighting.ts';

const benches = new Map<string, (stage: Stage) => Promise<Figure[]>>([
  ['logic', logic],
  ['validation', validation],
  ['collecting', collecting],
  ['collecting-quotas', collectingQuotas],
  ['survey-read', surveyRead],
  ['public-view', publicView],
  ['distribution', distribution],
  ['cold-start', coldStart],
  ['crosstab', crosstabs],
  ['chart-batch', chartBatch],
  ['computed-columns', computedColumns],
  ['csv-export', csvExport],
  ['exports', exports],
  ['reports', reports],
  ['find-replace', findReplace],
  ['wave-progress', waveProgress],
  ['weighting', weighting],
  ['login-time', loginTime],
  ['analysis', analysis],
  ['asking-again', askingAgain],
]);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  // A folder for CPU profiles of the servers.
  options: { profile: { type: 'string' } },
});
const unknown = positionals.find((name) => !benches.has(name));
if (unknown !== undefined)
  throw new Error(`No bench "${unknown}"; there are ${[...benches.keys()].join(', ')}`);

for (const [name, bench] of benches) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.log(`\n${name}`);
  const stage = await openStage(
    values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`],
  );
  try {
    for (const figure of await bench(stage)) printFigure(figure);
  } finally {
    await stage.end();
  }
}
