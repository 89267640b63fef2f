import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ColumnValue } from '../src/domain/columns/column-spec.ts';
import { computeRimWeights } from '../src/domain/weighting/rim-weighting.ts';
import type { Dimension } from '../src/domain/weighting/weighting-cells.ts';
import { amount, type Figure } from './support/figure.ts';
import { SkippedBenchmarkError } from './support/skipped-benchmark.ts';
import { randomNumbers } from '../src/lib/seeded-random.ts';
import { median, measureMs } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';

const RESPONDENTS = 100_000;
const CATEGORIES = [2, 5, 4, 8, 3];
const ROUNDS = 5;
/** As a share of all: ours of a margin from its target, in R of the change of a margin in one pass. */
const TOLERANCE = 1e-6;

function sample(seed: number): Dimension[] {
  const next = randomNumbers(seed);
  return CATEGORIES.map((size, position) => {
    const indices = new Int16Array(RESPONDENTS);
    // Lower codes are more frequent, and the dimensions hang together a little.
    for (let row = 0; row < RESPONDENTS; row++) {
      indices[row] = Math.min(size - 1, Math.floor(next() * next() * size + (row % 7 === 0 ? 1 : 0)));
    }
    const values = Array.from({ length: size }, (_, code): ColumnValue => {
      return { code, value: String(code), number: code, label: String(code), missing: false };
    });
    const targets = values.map(({ value }, code) => ({
      value,
      target: (100 * (code + 1)) / ((size * (size + 1)) / 2),
    }));
    return { spec: { columnCode: `d${position}`, values }, indices, targets };
  });
}

function ours(dimensions: Dimension[]) {
  const outcome = computeRimWeights({
    dimensions,
    targetType: 'percent',
    mask: new Uint8Array(RESPONDENTS).fill(1),
    baseWeights: null,
    maxIterations: 200,
    tolerance: TOLERANCE,
    minWeight: null,
    maxWeight: null,
    missing: 'error',
    scaleTo: 'sample',
  });
  if (!outcome.ok || !outcome.weighting.converged) throw new Error('The weighting has not converged');
  return outcome.weighting;
}

/** Times of `survey::rake` in seconds, and its first weights; null where R or the package is not there. */
function inR(dimensions: Dimension[]): { seconds: number[]; weights: number[] } | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'canvass-bench-'));
  try {
    const names = dimensions.map(({ spec }) => spec.columnCode);
    const lines = Array.from({ length: RESPONDENTS }, (_, row) =>
      dimensions.map(({ indices }) => indices[row]).join(','),
    );
    writeFileSync(path.join(folder, 'sample.csv'), [names.join(','), ...lines].join('\n'));
    const populations = dimensions.map(({ spec, targets }) => {
      const counts = targets.map(({ target }) => (RESPONDENTS * target) / 100).join(',');
      const codes = targets.map(({ value }) => value).join(',');
      return `data.frame(${spec.columnCode}=factor(c(${codes})), Freq=c(${counts}))`;
    });
    const script = `
      suppressMessages(library(survey))
      d <- read.csv("sample.csv"); for (name in names(d)) d[[name]] <- factor(d[[name]]); d$w <- 1
      design <- svydesign(ids=~1, weights=~w, data=d)
      margins <- list(${names.map((name) => `~${name}`).join(',')})
      populations <- list(${populations.join(',')})
      for (i in 1:${ROUNDS}) {
        t <- system.time(r <- rake(design, margins, populations, control=list(maxit=200, epsilon=${TOLERANCE}, verbose=FALSE)))
        cat(t[["elapsed"]], "")
      }
      cat("\\n"); cat(format(weights(r)[1:20], digits=10))`;
    writeFileSync(path.join(folder, 'rake.R'), script);
    const text = execFileSync('Rscript', ['rake.R'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [times = '', weights = ''] = text.trim().split('\n');
    const numbersIn = (line: string) => line.trim().split(/\s+/).map(Number);
    return { seconds: numbersIn(times), weights: numbersIn(weights) };
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rim weighting of 100,000 respondents to five targets, against `rake` of the R package survey. */
export async function weighting({ seed }: TestBed): Promise<Figure[]> {
  const dimensions = sample(seed);
  const theirs = inR(dimensions);
  if (theirs === null) throw new SkippedBenchmarkError('R with its package survey is not installed');
  const found = ours(dimensions);
  for (const [row, weight] of theirs.weights.entries()) {
    if (Math.abs(weight - found.weights[row]!) > 1e-4)
      throw new Error(`Weight ${row} is ${found.weights[row]!}, in R ${weight}`);
  }
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await measureMs(() => void ours(dimensions)));
  const [us, them] = [median(times), 1_000 * median(theirs.seconds)];
  return [
    {
      what: `Rim weighting of ${RESPONDENTS.toLocaleString('en')} respondents to ${CATEGORIES.length} targets in ${found.iterations} iterations (speed-up)`,
      ours: amount(us, 'ms'),
      yardstick: amount(them, 'ms'),
      against: 'survey::rake in R',
      ratio: them / us,
      target: { atLeast: 20 },
    },
  ];
}
