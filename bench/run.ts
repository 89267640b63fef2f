/** `npm run bench [name…]`: measures ratios to a baseline within the same run and prints one table. See README.md. */
import { options } from './support/options.ts';
import { analysis } from './analysis.ts';
import { repeatedSentiment } from './repeated-sentiment.ts';
import { chartBatch } from './chart-batch.ts';
import { coldStart } from './cold-start.ts';
import { collecting } from './collecting.ts';
import { collectingOnCitus } from './collecting-citus.ts';
import { collectingQuotas } from './collecting-quotas.ts';
import { compression } from './compression.ts';
import { crosstabs } from './crosstab.ts';
import { computedColumns } from './computed-columns.ts';
import { csvExport } from './csv-export.ts';
import { dashboardWhileCollecting } from './dashboard-while-collecting.ts';
import { directus } from './directus.ts';
import { distribution } from './distribution.ts';
import { exports } from './exports.ts';
import { firstCrosstab } from './first-crosstab.ts';
import { findReplace } from './find-replace.ts';
import { growth } from './growth.ts';
import { idleMemory } from './idle-memory.ts';
import { logic } from './logic.ts';
import { loginTime } from './login-time.ts';
import { publicView } from './public-view.ts';
import { reports } from './reports.ts';
import { type Figure, printFigure } from './support/figure.ts';
import { SkippedBenchmarkError } from './support/skipped-benchmark.ts';
import { type Machine, postgresVersion, thisMachine } from './support/machine.ts';
import { writeMarkdown } from './support/markdown.ts';
import {
  type BenchResult,
  type Group,
  mergeResults,
  readResults,
  type Results,
  writeResults,
} from './support/results.ts';
import { openTestBed, type TestBed } from './support/test-bed.ts';
import { textTable } from './support/table.ts';
import { studioGrid } from './studio-grid.ts';
import { studioTyping } from './studio-typing.ts';
import { surveyList } from './survey-list.ts';
import { surveyRead } from './survey-read.ts';
import { twoProcesses } from './two-processes.ts';
import { validation } from './validation.ts';
import { waveProgress } from './wave-progress.ts';
import { wideExports } from './wide-exports.ts';
import { weighting } from './weighting.ts';

type Bench = (testBed: TestBed) => Promise<Figure[]>;

const benches: readonly (readonly [string, Group, Bench])[] = [
  ['logic', 'Collection', logic],
  ['validation', 'Collection', validation],
  ['collecting', 'Collection', collecting],
  ['directus', 'Collection', directus],
  ['collecting-quotas', 'Collection', collectingQuotas],
  ['wave-progress', 'Collection', waveProgress],
  ['distribution', 'Figures', distribution],
  ['crosstab', 'Figures', crosstabs],
  ['computed-columns', 'Figures', computedColumns],
  ['weighting', 'Figures', weighting],
  ['csv-export', 'Exports', csvExport],
  ['exports', 'Exports', exports],
  ['wide-exports', 'Exports', wideExports],
  ['reports', 'Exports', reports],
  ['chart-batch', 'Dashboards', chartBatch],
  ['public-view', 'Dashboards', publicView],
  ['dashboard-while-collecting', 'Dashboards', dashboardWhileCollecting],
  ['cold-start', 'Cold start', coldStart],
  ['first-crosstab', 'Cold start', firstCrosstab],
  ['idle-memory', 'Cold start', idleMemory],
  ['growth', 'Growth', growth],
  ['two-processes', 'Scale', twoProcesses],
  ['collecting-citus', 'Scale', collectingOnCitus],
  ['survey-list', 'Texts, changes, accounts', surveyList],
  ['survey-read', 'Texts, changes, accounts', surveyRead],
  ['compression', 'Texts, changes, accounts', compression],
  ['studio-typing', 'Texts, changes, accounts', studioTyping],
  ['studio-grid', 'Growth', studioGrid],
  ['find-replace', 'Texts, changes, accounts', findReplace],
  ['login-time', 'Texts, changes, accounts', loginTime],
  ['analysis', 'Texts, changes, accounts', analysis],
  ['repeated-sentiment', 'Texts, changes, accounts', repeatedSentiment],
];

const { names, seed, many, json, markdown, from, profile } = options;
const unknown = names.find((name) => !benches.some(([known]) => known === name));
if (unknown !== undefined)
  throw new Error(`No benchmark "${unknown}"; available: ${benches.map(([name]) => name).join(', ')}`);

const earlier = from === null ? null : readResults(from);
const machine = thisMachine();
console.log(`seed ${seed}, ${many.toLocaleString('en')} responses in the largest survey`);
const measured: BenchResult[] = [];
for (const [name, group, bench] of benches) {
  // With only `--from`, prints the earlier results.
  if (names.length > 0 ? !names.includes(name) : earlier !== null) continue;
  console.log(`\n${name}`);
  measured.push(await measure(name, group, bench, machine));
  // Saves the results so far, because a run is long.
  if (json !== null) writeResults(json, resultsSoFar());
}
const results = resultsSoFar();
console.log(`\n${textTable(results)}`);
const seconds = measured.reduce((sum, result) => sum + result.seconds, 0);
if (seconds > 0) console.log(`\nmeasured in ${(seconds / 60).toFixed(1)} minutes`);
if (json !== null) writeResults(json, results);
for (const file of markdown) await writeMarkdown(file, results);
if (measured.some(({ missing }) => missing?.because === 'failed')) process.exitCode = 1;

/** In the order of the benchmarks. */
function resultsSoFar(): Results {
  if (earlier !== null && measured.length === 0) return earlier;
  const results = mergeResults(earlier, { format: 'canvass.bench', machine, seed, many, benches: measured });
  const place = new Map(benches.map(([name], index) => [name, index]));
  return { ...results, benches: results.benches.sort((a, b) => place.get(a.name)! - place.get(b.name)!) };
}

/** Runs the other benchmarks even if one fails. */
async function measure(name: string, group: Group, bench: Bench, on: Machine): Promise<BenchResult> {
  const began = performance.now();
  const done = (figures: Figure[], missing: BenchResult['missing']) => {
    return { name, group, seconds: (performance.now() - began) / 1_000, figures, missing };
  };
  let testBed: TestBed | null = null;
  try {
    const serverFlags = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
    testBed = await openTestBed({ seed, many, serverFlags });
    on.postgres ??= await postgresVersion(testBed.db);
    const figures = await bench(testBed);
    for (const figure of figures) printFigure(figure);
    return done(figures, null);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const because = error instanceof SkippedBenchmarkError ? 'left out' : 'failed';
    console.log(because === 'failed' ? error : `    (left out: ${reason})`);
    return done([], { because, reason: reason.split('\n')[0]!.slice(0, 200) });
  } finally {
    await testBed?.end();
  }
}
