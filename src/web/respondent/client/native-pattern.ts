import type { CompiledPattern } from '../../../domain/questions/safe-pattern.ts';

/**
 * Replaces safe-pattern.ts in the pages (see vite.config.ts), so that a respondent does not download RE2. The server checked the pattern when
 * the question was saved, and checks every answer again.
 */
export function compilePattern(source: string): CompiledPattern {
  try {
    const native = new RegExp(`^(?:${source})$`, 'u');
    return { ok: true, pattern: { matches: (text) => native.test(text), example: () => null } };
  } catch {
    return { ok: false, message: 'is not a regular expression' };
  }
}
