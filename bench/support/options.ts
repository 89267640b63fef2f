import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Seed of all generated data. */
    seed: { type: 'string', default: '1' },
    /** A million responses instead of fewer in the largest survey. */
    full: { type: 'boolean', default: false },
    /** Output files: JSON and Markdown. */
    json: { type: 'string' },
    markdown: { type: 'string', multiple: true, default: [] },
    /** Results of an earlier run, for benchmarks that are not run now. */
    from: { type: 'string' },
    /** A folder for CPU profiles of the servers. */
    profile: { type: 'string' },
  },
});

/** Benchmarks that every run includes at this size; `BENCH_MANY` changes it. */
const DEFAULT_MANY = 200_000;
const FULL_MANY = 1_000_000;

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least)
    throw new Error(`${name} must be a whole number of at least ${least}, not "${text}"`);
  return value;
}

/** The options of `npm run bench`. */
export const options = {
  names: positionals,
  seed: whole('--seed', values.seed, 0),
  /** Responses of the largest survey. */
  many: values.full ? FULL_MANY : whole('BENCH_MANY', process.env.BENCH_MANY ?? `${DEFAULT_MANY}`, 20_000),
  json: values.json ?? null,
  markdown: values.markdown,
  from: values.from ?? null,
  profile: values.profile ?? null,
};

// For benchmarks that read it while they are loaded.
process.env.BENCH_MANY = String(options.many);
