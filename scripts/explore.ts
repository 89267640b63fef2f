/** `npm run test:explore`: runs the property tests with new seeds. See CONTRIBUTING.md. */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    /** The first seed; each further round uses the next number. Default: a random one. */
    seed: { type: 'string' },
    rounds: { type: 'string', default: '1' },
    /** Only test files whose path contains this. */
    files: { type: 'string', default: 'test/unit' },
  },
});

function readInteger(name: string, text: string, least: number): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`--${name}: "${text}" is not a whole number from ${least}`);
}

const firstSeed = values.seed === undefined ? randomInt(2 ** 31) : readInteger('seed', values.seed, 0);
const rounds = readInteger('rounds', values.rounds, 1);

for (let round = 0; round < rounds; round++) {
  const seed = firstSeed + round;
  console.log(
    `Round ${round + 1} of ${rounds}, seed ${seed}. Run it again: npm run test:explore -- --seed ${seed}`,
  );
  const { status, error } = spawnSync('npx', ['vitest', 'run', values.files], {
    env: { ...process.env, PROPERTY_SEED: String(seed) },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error !== undefined) throw error;
  if (status !== 0) {
    console.error(
      `Failed with seed ${seed}. Fix the code and add the counterexample to the test as a fixed case.`,
    );
    process.exit(status ?? 1);
  }
}
