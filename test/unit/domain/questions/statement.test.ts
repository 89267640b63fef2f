import { describe, expect, it } from 'vitest';
import {
  cellCodecFor,
  codecFor,
  requiredProblem,
  typeOf,
} from '../../../../src/domain/questions/registry.ts';
import { question } from '../../../support/survey-builder.ts';

const statement = question('statement', { settings: { min_seconds: 20 } });

describe('a statement', () => {
  it('accepts no answer, and refuses any', () => {
    const read = (input: unknown) => codecFor(statement).read(statement, input);
    for (const input of [null, '', [], {}]) expect(read(input)).toEqual({ ok: true, answer: null });
    for (const input of ['read', 1, ['1'], true])
      expect(read(input)).toMatchObject({
        ok: false,
        problems: [{ field: '', message: expect.stringContaining('a statement has no answer') }],
      });
  });

  it('has no columns', () => {
    expect(cellCodecFor(statement).columns(statement)).toEqual([]);
    expect(cellCodecFor(statement).toCells(statement, null)).toEqual([]);
    expect(typeOf(statement).columnCount(statement)).toBe(0);
  });

  it('cannot be required', () => {
    expect(requiredProblem('statement', true)).toMatch(/^must be false/);
    expect(requiredProblem('statement', false)).toBeNull();
    expect(requiredProblem('text', true)).toBeNull();
  });

  it('takes its least time, or that of reading it, in test responses', () => {
    const seconds = (of: typeof statement) => typeOf(of).seeding.seconds(of);
    expect(seconds(statement)).toBe(20);
    const long = question('statement', { text: 'word '.repeat(399) + 'word' });
    expect(seconds(long)).toBeGreaterThan(99);
  });
});
