import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { codecFor } from '../../../../src/domain/questions/registry.ts';
import type { Question } from '../../../../src/domain/survey/definition.ts';
import { en } from '../../../../src/web/respondent/locales/en.ts';
import { question } from '../../../support/survey-builder.ts';

// The page has another TypeScript configuration, so its types are not imported.
const { validateQuestions } = (await import(path.resolve('src/web/respondent/client/answers.ts'))) as {
  validateQuestions: (
    questions: { question: Question }[],
    page: {
      prepared: { byCode: Map<string, { question: Question }> };
      inputs: Record<string, unknown>;
      uploads: Map<string, number>;
      controlProblems: Map<string, () => string | null>;
    },
    messages: typeof en,
  ) => Map<string, string>;
};

function validateAnswer(
  { question, whole, input }: { question: Question; whole: Question; input: unknown },
  messages: typeof en,
): string | null {
  const { code } = question;
  const prepared = { byCode: new Map([[code, { question: whole }]]) };
  const page = { prepared, inputs: { [code]: input }, uploads: new Map(), controlProblems: new Map() };
  return validateQuestions([{ question }], page, messages).get(code) ?? null;
}

describe('an answer to a question of which logic offers some options', () => {
  const whole = question('multiple_choice', { settings: { min_selections: 3 } });
  const asked = codecFor(whole).withOfferedOptions(whole, whole.options.slice(0, 2)) as Question;

  it('needs no more options than are offered', () => {
    expect(validateAnswer({ question: asked, whole, input: ['1', '2'] }, en)).toBeNull();
    expect(validateAnswer({ question: asked, whole, input: ['1'] }, en)).toBe('Please select at least 2.');
    expect(validateAnswer({ question: whole, whole, input: ['1', '2'] }, en)).toBe(
      'Please select at least 3.',
    );
  });

  it('can contain an option that was selected before it was withheld', () => {
    expect(validateAnswer({ question: asked, whole, input: ['1', '2', '3'] }, en)).toBeNull();
    expect(validateAnswer({ question: asked, whole, input: ['1', '3'] }, en)).toBe(
      'Please select at least 2.',
    );
  });
});
