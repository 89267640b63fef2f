import { afterEach, beforeAll, expect } from 'vitest';
import { type Actor, newOrganization } from './actors.ts';
import { type TestApp, useApp } from './app.ts';
import { type BrowserFixture, useBrowser } from './browser.ts';
import { readStoredResponses } from './stored-responses.ts';
import { type PublishedSurvey, publishedSurvey, type SurveyInput } from './surveys.ts';

interface SurveyPageFixture {
  test: TestApp;
  browser: BrowserFixture;
  readonly author: Actor;
  readonly survey: PublishedSurvey;
  /** The answers of the last response. */
  storedAnswers(): Promise<unknown>;
}

/** The application, a browser and a published survey, whose page has no problem after each test. Call in a `describe`. */
export function useSurveyPage(input: SurveyInput): SurveyPageFixture {
  const test = useApp();
  const browser = useBrowser(test);
  let created: { author: Actor; survey: PublishedSurvey } | null = null;
  beforeAll(async () => {
    const { admin } = await newOrganization(test);
    created = { author: admin, survey: await publishedSurvey(admin, input) };
  });
  afterEach(() => {
    expect(browser.problems()).toEqual([]);
  });
  const ready = () => {
    if (created === null) throw new Error('The survey is there only while tests run');
    return created;
  };
  return {
    test,
    browser,
    get author() {
      return ready().author;
    },
    get survey() {
      return ready().survey;
    },
    async storedAnswers() {
      return (await readStoredResponses(test, ready().survey.surveyId)).at(-1)?.answers;
    },
  };
}
