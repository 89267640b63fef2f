import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Of all made-up data. */
    seed: { type: 'string', default: '1' },
    /** A million responses where the largest survey has fewer otherwise. */
    full: { type: 'boolean', default: false },
    /** Files for the results: for programs, and for people. */
    json: { type: 'string' },
    markdown: { type: 'string', multiple: true, default: [] },
    /** Results of an earlier run, for what is not measured now. */
    from: { type: 'string' },
    /** A folder for CPU profiles of the servers. */
    profile: { type: 'string' },
  },
});

/** Benches that are in every run at this size; `BENCH_MANY` says another one. */
const DEFAULT_MANY = 200_000;
const FULL_MANY = 1_000_000;

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least)
    throw new Error(`${name} must be a whole number of at least ${least}, not "${text}"`);
  return value;
}

/** What was asked of `npm run bench`. */
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

// For benches that read it as they are loaded.
process.env.BENCH_MANY = String(options.many);
