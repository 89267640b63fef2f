import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { findChromium, launchChromium } from '../test/support/chromium.ts';
import { amount, type Figure, withinLimit } from './support/figure.ts';
import { quantile } from './support/rounds.ts';
import { SkippedBenchmarkError } from './support/skipped-benchmark.ts';
import { call } from '../test/support/served-surveys.ts';
import type { TestBed } from './support/test-bed.ts';

const QUESTIONS = 200;
const WORDS = 16;
const WORD = 'survey ';
const KEY_DELAY_MS = 90;
/** Longer than the pause after which the editor saves, so that saving and reloading are part of the measurement. */
const WORD_DELAY_MS = 800;
const LIMIT_MS = 50;
const ADMIN = { email: 'typist@example.com', password: 'a long password for typing 42' };

const imported = z.object({ data: z.object({ survey_id: z.number() }) });

/** From a key to the frame that shows it, in the editor of a survey with 200 questions, in a real browser. */
export async function studioTyping(testBed: TestBed): Promise<Figure[]> {
  if (findChromium() === null) throw new SkippedBenchmarkError('no chromium is installed');
  if (!existsSync(fileURLToPath(new URL('../dist/web/studio', import.meta.url))))
    throw new SkippedBenchmarkError('the studio is not built (npm run build)');
  const api = await testBed.api({ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
  const createSurvey = async (perPage: number) =>
    imported.parse(await call(testBed, api, 'POST', '/api/surveys/import', survey(perPage))).data.survey_id;
  const surveys = [
    { what: `${QUESTIONS} questions on 20 pages, with the logic of the question open`, perPage: 10 },
    { what: `${QUESTIONS} questions on one page`, perPage: QUESTIONS },
  ];
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ baseURL: api.url, viewport: { width: 1280, height: 800 } });
    const reply = await context.request.post('/api/auth', { data: { action: 'login', ...ADMIN } });
    if (!reply.ok()) throw new Error(`signing in: ${reply.status()} ${await reply.text()}`);
    const bare = await context.newPage();
    await bare.setContent('<textarea autofocus></textarea>');
    await bare.locator('textarea').focus();
    const floor = quantile(await recordTyping(bare), 0.95).toFixed(1);
    await bare.close();
    const figures: Figure[] = [];
    for (const { what, perPage } of surveys) {
      const page = await context.newPage();
      await page.goto(`/surveys/${await createSurvey(perPage)}/edit`);
      await openQuestion(page);
      const times = await recordTyping(page);
      await page.close();
      const note = `median ${quantile(times, 0.5).toFixed(1)} ms; in a page with nothing but a text field ${floor} ms`;
      figures.push(
        withinLimit(
          `Key to frame, 95th percentile: ${what}`,
          amount(quantile(times, 0.95), 'ms', note),
          LIMIT_MS,
        ),
      );
    }
    return figures;
  } finally {
    await browser.close();
  }
}

/** Pages of questions of three types; from the second question on, each has a condition. */
function survey(perPage: number): object {
  const questions = Array.from({ length: QUESTIONS }, (_, index) => {
    const display = { left: { code: 'Q1' }, operator: 'answered' };
    const common = {
      question_code: `Q${index + 1}`,
      question_text: `How satisfied are you with part ${index + 1} of our service?`,
      ...(index === 0 ? {} : { question_settings: { logic: { display } } }),
    };
    if (index % 3 === 1) return { ...common, question_type: 'scale' };
    if (index % 3 === 2) return { ...common, question_type: 'text' };
    return {
      ...common,
      question_type: 'single_choice',
      options: ['Very satisfied', 'Satisfied', 'Neutral', 'Not satisfied', 'I do not know it'],
    };
  });
  const pages = Array.from({ length: QUESTIONS / perPage }, (_, index) => ({
    page_title: `Part ${index + 1}`,
    questions: questions.slice(index * perPage, (index + 1) * perPage),
  }));
  return { format: 'canvass.survey', version: 1, survey: { survey_name: 'Typing', pages } };
}

/** Records the milliseconds from each key to the end of the next frame. */
const RECORD_KEYS = `{
  window.keyTimes = [];
  addEventListener('keydown', ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.keyTimes.push(performance.now() - timeStamp);
      port2.postMessage(null);
    });
  }, true);
}`;

/** Sets the caret behind the text of the fifth question, whose condition is open. */
async function openQuestion(page: Page): Promise<void> {
  const questions = page.locator('.question');
  await questions.first().waitFor();
  const text = questions.nth(4).locator('.question-text').first();
  await text.click();
  await page.locator('.question.active .condition-row').first().waitFor();
  await text.press('End');
}

/** Types where the caret is, and returns the milliseconds of each key. */
async function recordTyping(page: Page): Promise<number[]> {
  // Until the browser has optimized the code, and the first save is over.
  await page.keyboard.type(WORD.repeat(3), { delay: KEY_DELAY_MS });
  await page.waitForTimeout(WORD_DELAY_MS);
  await page.evaluate(RECORD_KEYS);
  for (let word = 0; word < WORDS; word += 1) {
    await page.keyboard.type(WORD, { delay: KEY_DELAY_MS });
    await page.waitForTimeout(WORD_DELAY_MS);
  }
  return page.evaluate<number[]>('window.keyTimes');
}
