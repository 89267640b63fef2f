import { describe, expect, it } from 'vitest';
import { MAX_RESPONDENT_DEFINITION_BYTES } from '../../../../../src/domain/survey/publishing/definition-size.ts';
import { findPublishProblems } from '../../../../../src/domain/survey/publishing/publish-check.ts';
import { page, question, survey } from '../../../../support/survey-builder.ts';

/** Questions with texts of so many characters, in UTF-8 of two bytes each. */
const surveyOf = (...characters: number[]) =>
  survey(page(...characters.map((length) => question('text', { text: 'ß'.repeat(length) }))));
const problemsOf = (definition: ReturnType<typeof surveyOf>) =>
  findPublishProblems(definition).filter(({ code }) => code === 'survey_too_large');

describe('a survey that respondents load', () => {
  it('may have 5 MB', () => {
    expect(MAX_RESPONDENT_DEFINITION_BYTES).toBe(5_000_000);
    expect(problemsOf(surveyOf(2_490_000))).toEqual([]);
  });

  it('is refused beyond, with its size and its largest questions', () => {
    expect(problemsOf(surveyOf(100_000, 2_000_000, 50_000, 1_000_000, 10))).toEqual([
      {
        code: 'survey_too_large',
        field: '',
        message: expect.stringMatching(
          /^The survey has 6\.3 MB of texts, .*; at most 5\.0 MB are allowed\. Largest questions: Q2 \(4\.0 MB\), Q4 \(2\.0 MB\), Q1 \(0\.2 MB\)$/,
        ) as string,
      },
    ]);
  });

  it('does not count what respondents do not get', () => {
    const { pages, ...rest } = surveyOf(3_000_000, 10);
    const [first, ...others] = pages[0]!.questions;
    const retired = { ...pages[0]!, questions: [{ ...first!, retired: true }, ...others] };
    expect(problemsOf({ ...rest, pages: [retired] })).toEqual([]);
  });
});
