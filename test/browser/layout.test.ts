import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Actor } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  expectAccessible,
  expectNoHorizontalScroll,
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  useBrowser,
} from '../support/browser.ts';
import { type PublishedSurvey, publishedSurvey } from '../support/surveys.ts';

const WIDTHS = [320, 375, 768, 1280];
const FIVE = ['Strongly disagree', 'Disagree', 'Neither agree nor disagree', 'Agree', 'Strongly agree'];
const labeled = (labels: string[]) =>
  Object.fromEntries(labels.map((label, index) => [String(index + 1), label]));

/** Anchored scales, labeled scales and a matrix with long words, in English and, without a translation of them, in Arabic. */
const LAYOUT_SURVEY = {
  survey_name: 'Layout',
  settings: { languages: ['ar'] },
  pages: [
    {
      page_title: 'Points',
      questions: [
        {
          question_type: 'nps',
          question_code: 'N1',
          question_text: 'How likely are you to recommend us?',
          question_settings: { min_label: 'Not at all likely', max_label: 'Extremely likely' },
        },
        {
          question_type: 'scale',
          question_code: 'S1',
          question_text: 'How strong?',
          question_settings: {
            min: 1,
            max: 7,
            min_label: 'Very mild',
            mid_label: 'In between',
            max_label: 'Very strong',
          },
        },
        {
          question_type: 'scale',
          question_code: 'S2',
          question_text: 'How warm, in degrees?',
          question_settings: { min: -10, max: 10, min_label: 'Cold', max_label: 'Warm' },
        },
        {
          question_type: 'scale',
          question_code: 'S3',
          question_text: 'Do you agree?',
          question_settings: { point_labels: labeled(FIVE) },
        },
        {
          question_type: 'matrix',
          question_code: 'M1',
          question_text: 'And with these?',
          question_settings: {
            rows: [
              { row_code: 'r1', row_label: 'Taste matters more than price' },
              { row_code: 'r2', row_label: 'I want to know where it comes from' },
            ],
          },
          options: [
            'Unacceptable',
            'Unsatisfactory',
            'Questionable',
            'Satisfactory',
            'Commendable',
            'Outstanding',
            'Incomprehensible',
          ],
        },
      ],
    },
  ],
};

/** Rectangles of the elements that match, in the order of the document. */
interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The boxes of the elements of each selector, at one moment. */
const measureAll = (page: Page, selectors: readonly string[]): Promise<Box[][]> =>
  page.evaluate(
    `${JSON.stringify(selectors)}.map((selector) => [...document.querySelectorAll(selector)].map((each) => {
       const { left, right, top, bottom } = each.getBoundingClientRect();
       return { left, right, top, bottom };
     }))`,
  );

const boxes = async (page: Page, selector: string): Promise<Box[]> =>
  (await measureAll(page, [selector]))[0]!;

/** Words of the matching elements that are drawn on more than one line. */
const brokenWords = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].flatMap((element) => {
       const text = element.firstChild;
       if (text === null || text.nodeType !== Node.TEXT_NODE) return [];
       return [...text.data.matchAll(/\\S+/g)].filter((word) => {
         const range = document.createRange();
         range.setStart(text, word.index);
         range.setEnd(text, word.index + word[0].length);
         return range.getClientRects().length > 1;
       }).map((word) => word[0]);
     })`,
  );

describe.skipIf(browserSkipReason() !== null)('question layout', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let survey: PublishedSurvey;
  beforeAll(async () => {
    const { admin } = (await newOrganization(test)) as { admin: Actor };
    survey = await publishedSurvey(admin, LAYOUT_SURVEY);
  });
  const visit = (width: number, language = 'en') =>
    browser.visit(`/s/${survey.linkToken}?lang=${language}`, { viewport: { width, height: 800 } });

  it.each(WIDTHS.flatMap((width) => [['en', width] as const, ['ar', width] as const]))(
    'places the anchors of a scale under its first and last point (%s, %d px)',
    async (language, width) => {
      const page = await visit(width, language);
      await page.locator('[data-code=N1]').waitFor();
      for (const [code, count] of [
        ['N1', 11],
        ['S1', 7],
        ['S2', 21],
      ] as const) {
        // Measured together: the page can still move while it is loading.
        const [points, anchors] = (await measureAll(page, [
          `[data-code=${code}] .point`,
          `[data-code=${code}] .anchors > span`,
        ])) as [Box[], Box[]];
        expect(points).toHaveLength(count);
        const [first, last] = [points[0]!, points.at(-1)!];
        const [low, high] = [anchors[0]!, anchors.at(-1)!];
        const start = language === 'ar' ? ('right' as const) : ('left' as const);
        const end = language === 'ar' ? ('left' as const) : ('right' as const);
        expect(low.top).toBeGreaterThanOrEqual(first.bottom);
        expect(low[start]).toBeCloseTo(first[start], 0);
        expect(high.top).toBeGreaterThanOrEqual(last.bottom);
        expect(high[end]).toBeCloseTo(last[end], 0);
        // WCAG 2.2, 2.5.8: a target is at least 24 by 24 px.
        for (const point of points) expect(point.right - point.left).toBeGreaterThanOrEqual(24);
      }
      await expectNoHorizontalScroll(page);
    },
  );

  it.each(WIDTHS)('does not break words in matrix headers and labels (%d px)', async (width) => {
    const page = await visit(width);
    await page.locator('[data-code=M1]').waitFor();
    expect(
      await brokenWords(page, '.matrix .head span, .matrix .cell .label, .labeled-points .label span'),
    ).toEqual([]);
    await expectNoHorizontalScroll(page);
  });

  it('shows a labeled scale in one row if it fits, else as a list', async () => {
    for (const [width, rows] of [
      [320, 5],
      [768, 1],
      [1280, 1],
    ] as const) {
      const page = await visit(width);
      await page.locator('[data-code=S3]').waitFor();
      const points = await boxes(page, '[data-code=S3] .choice');
      expect(new Set(points.map(({ top }) => top)).size).toBe(rows);
    }
  });

  it('sets language and direction of texts without a translation', async () => {
    const page = await visit(375, 'ar');
    await page.locator('[data-code=M1]').waitFor();
    for (const selector of [
      'h1',
      '.page-title',
      '.question-text .text',
      '.anchors span',
      '.labeled-points .label > span:last-child',
      '.row-label',
      '.cell .label',
    ]) {
      const found = page.locator(selector).first();
      expect(await found.getAttribute('dir')).toBe('auto');
      expect(await found.getAttribute('lang')).toBe('en');
    }
    const english = await visit(375);
    await english.locator('[data-code=M1]').waitFor();
    expect(await english.locator('main [dir=auto]').count()).toBe(0);
  });

  it.each([320, 1280])('is accessible (%d px)', async (width) => {
    const page = await visit(width);
    await page.locator('[data-code=M1]').waitFor();
    await expectAccessible(page);
    const arabic = await visit(width, 'ar');
    await arabic.locator('[data-code=M1]').waitFor();
    await expectAccessible(arabic);
  });
});
