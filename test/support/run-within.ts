import { createContext, runInContext } from 'node:vm';

/**
 * Runs a function and ends it with an error after `seconds`. For texts so long that linear code takes milliseconds and quadratic code takes
 * minutes: the limit is no measurement.
 */
export function runWithin<T>(seconds: number, run: () => T): T {
  return runInContext('run()', createContext({ run }), { timeout: 1_000 * seconds }) as T;
}

const LENGTH = 200_000;

/** Texts of 200,000 characters that are the worst cases of common regular expressions: long runs that almost match. */
export const HOSTILE_TEXTS: readonly string[] = [
  ' ',
  '\t',
  '\n',
  '-',
  '_',
  '.',
  '#',
  '!',
  '(',
  '[',
  '<',
  '"',
  '/',
  '0',
  'a',
  'É',
  'A ',
  '1 ',
  '0.',
  '1_',
  '[a',
  '[a]',
  '<a',
  '{{',
  '- ',
  'http:',
  'www.',
  '\u0301',
  '👍',
  'specify (',
].flatMap((unit) => {
  const run = unit.repeat(LENGTH / unit.length);
  return [`x${run}\u0001`, `# Other (${run}x`, `${run}]`];
});
