import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { findChromium, launchChromium } from '../test/support/chromium.ts';
import type { Child } from './support/child.ts';
import { amount, type Figure, withinLimit } from './support/figure.ts';
import { quantile } from './support/rounds.ts';
import { sixtyQuestions } from './support/sixty-questions.ts';
import { SkippedBenchmarkError } from './support/skipped-benchmark.ts';
import { call } from '../test/support/served-surveys.ts';
import type { TestBed } from './support/test-bed.ts';

/** Viewports that the wheel moves, first without a pause, then with one after each. */
const FAST_VIEWPORTS = 80;
const PACED_VIEWPORTS = 30;
/** Between turns of the wheel. */
const WHEEL_DELAY_MS = 50;
/** Where the thumb of the scroll bar is dragged to, as shares of its way; 1 is the end. */
const PLACES = [0.5, 0.1, 0.9, 0.37, 0.73, 0.02, 1, 0.25, 0.61, 1, 0];
const DRAG_STEPS = 12;
const STEP_DELAY_MS = 16;
/** Longer than the pause after which the grid requests rows. */
const REST_MS = 400;
/** The grid requests rows when nothing was scrolled for this time. */
const REST_AFTER_MS = 80;
const MAX_REQUESTS = 1;
const MAX_WAIT_MS = 1_000;
const FRAME_MS = 1_000 / 60;
const ADMIN = { email: 'scroller@example.com', password: 'a long password for scrolling 42' };

const page = z.object({
  data: z.object({ rows: z.array(z.object({ response_id: z.number() })) }),
  meta: z.object({ total: z.number() }),
});

interface Recorded {
  /** Milliseconds from the last scroll event to the frame that shows all rows of the viewport. */
  waits: number[];
  frames: number[];
  longTasks: number[];
  /** Places at which the grid rested, also while the thumb was held: a busy machine moves it in jerks. */
  rests: number;
}

/** The grid of the largest survey in a real browser: requests, waiting and smoothness while it is scrolled. */
export async function studioGrid(testBed: TestBed): Promise<Figure[]> {
  if (findChromium() === null) throw new SkippedBenchmarkError('no chromium is installed');
  if (!existsSync(fileURLToPath(new URL('../dist/web/studio', import.meta.url))))
    throw new SkippedBenchmarkError('the studio is not built (npm run build)');
  const api = await testBed.api({ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
  const { surveyId } = await sixtyQuestions(testBed, api, testBed.many);
  const browser = await launchChromium({ hasScrollbars: true });
  try {
    const context = await browser.newContext({ baseURL: api.url, viewport: { width: 1280, height: 800 } });
    const reply = await context.request.post('/api/auth', { data: { action: 'login', ...ADMIN } });
    if (!reply.ok()) throw new Error(`signing in: ${reply.status()} ${await reply.text()}`);
    const grid = await context.newPage();
    let requests = 0;
    grid.on('request', (request) => (requests += request.url().includes('/grid?') ? 1 : 0));
    await grid.goto(`/surveys/${surveyId}/responses`);
    await grid.locator('.grid-row:not(.loading)').first().waitFor();
    await grid.evaluate(RECORD);
    const measure = async (move: () => Promise<void>) => {
      requests = 0;
      await move();
      return requests;
    };
    const fast = await measure(() => turnWheel(grid, FAST_VIEWPORTS, 0));
    const paced = await measure(() => turnWheel(grid, PACED_VIEWPORTS, REST_MS));
    const smooth = await recorded(grid);
    const jumps = await measure(async () => {
      for (const place of PLACES) {
        await dragThumb(grid, place);
        await expectRightRows(testBed, api, surveyId, grid, place);
      }
    });
    const { waits, rests } = await recorded(grid);
    const dropped = smooth.frames.reduce(
      (sum, length) => sum + Math.max(0, Math.round(length / FRAME_MS) - 1),
      0,
    );
    const share = (100 * dropped) / (dropped + smooth.frames.length);
    const rows = `${testBed.many.toLocaleString('en')} responses`;
    const perViewport = Math.max(fast / FAST_VIEWPORTS, paced / PACED_VIEWPORTS, jumps / rests);
    return [
      withinLimit(
        `Grid of ${rows}: requests for each viewport moved`,
        amount(
          perViewport,
          '',
          `wheel without a pause ${fast} for ${FAST_VIEWPORTS} viewports, with pauses ${paced} for ${PACED_VIEWPORTS}, scroll bar ${jumps} for ${rests} places`,
        ),
        MAX_REQUESTS,
      ),
      withinLimit(
        `Grid of ${rows}: end of a jump to all rows shown, 95th percentile`,
        amount(quantile(waits, 0.95), 'ms', `median ${quantile(waits, 0.5).toFixed(0)} ms`),
        MAX_WAIT_MS,
      ),
      {
        what: `Grid of ${rows}: longest task while the wheel turns`,
        ours: amount(
          Math.max(0, ...smooth.longTasks),
          'ms',
          `0: none above 50 ms; ${share.toFixed(1)} % of the frames dropped`,
        ),
        yardstick: amount(50, 'ms'),
        against: 'a long task',
        ratio: Math.max(0, ...smooth.longTasks) / 50,
        target: null,
      },
    ];
  } finally {
    await browser.close();
  }
}

/** Records the frames, the long tasks, and after each scroll how long rows of the viewport are missing. */
const RECORD = `{
  const grid = document.querySelector('.response-grid');
  const record = window.gridRecord = { waits: [], frames: [], longTasks: [], rests: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) record.longTasks.push(duration);
  }).observe({ type: 'longtask' });
  let before = performance.now();
  let scrolledAt = null;
  let lastScroll = -Infinity;
  grid.addEventListener('scroll', () => {
    scrolledAt = performance.now();
    if (scrolledAt - lastScroll > ${REST_AFTER_MS}) record.rests += 1;
    lastScroll = scrolledAt;
  });
  const isComplete = () => {
    const { top, bottom } = grid.getBoundingClientRect();
    const head = grid.querySelector('.grid-head').getBoundingClientRect().bottom;
    const rows = [...grid.querySelectorAll('.grid-row')].filter((row) => {
      const box = row.getBoundingClientRect();
      return box.bottom > head + 1 && box.top < bottom - 1;
    });
    return rows.length > 0 && rows.every((row) => !row.classList.contains('loading'));
  };
  const frame = () => {
    const now = performance.now();
    if (scrolledAt !== null) record.frames.push(now - before);
    before = now;
    // A scroll is over when no event came for several frames.
    if (scrolledAt !== null && now - scrolledAt > 100 && isComplete()) {
      record.waits.push((record.completeAt ?? now) - scrolledAt);
      scrolledAt = null;
      record.completeAt = undefined;
    } else if (scrolledAt !== null) record.completeAt = isComplete() ? (record.completeAt ?? now) : undefined;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}`;

/** Returns what was recorded since the last time. */
const recorded = (grid: Page): Promise<Recorded> =>
  grid.evaluate<Recorded>(`(() => {
    const record = { ...window.gridRecord };
    Object.assign(window.gridRecord, { waits: [], frames: [], longTasks: [], rests: 0 });
    return record;
  })()`);

const boxOfGrid = async (grid: Page) => (await grid.locator('.response-grid').boundingBox())!;

/** Turns the wheel by so many viewports, and waits after each for the pause. */
async function turnWheel(grid: Page, viewports: number, pauseMs: number): Promise<void> {
  const { x, y, width, height } = await boxOfGrid(grid);
  await grid.mouse.move(x + width / 2, y + height / 2);
  for (let moved = 0; moved < viewports; moved += 1) {
    await grid.mouse.wheel(0, height);
    await grid.waitForTimeout(WHEEL_DELAY_MS + pauseMs);
  }
  await waitUntilShown(grid);
}

/** Drags the thumb of the scroll bar from where it is to a share of its way. */
async function dragThumb(grid: Page, share: number): Promise<void> {
  const { x, y, width, height } = await boxOfGrid(grid);
  const now = await grid.evaluate<number>(`(() => {
    const { scrollTop, scrollHeight, clientHeight } = document.querySelector('.response-grid');
    return scrollTop / (scrollHeight - clientHeight);
  })()`);
  // Between the arrows, above the horizontal bar. The thumb of a long list has its least size.
  const way = height - BAR_SIZE - 2 * ARROW_SIZE - THUMB_SIZE;
  const at = (part: number) => y + ARROW_SIZE + THUMB_SIZE / 2 + part * way;
  const barX = x + width - BAR_SIZE / 2;
  await grid.mouse.move(barX, at(now));
  await grid.mouse.down();
  for (let step = 1; step <= DRAG_STEPS; step += 1) {
    await grid.mouse.move(barX, at(now) + ((at(share) - at(now)) * step) / DRAG_STEPS);
    await grid.waitForTimeout(STEP_DELAY_MS);
  }
  // To the very end, whatever the sizes of the bar are.
  if (share === 1) await grid.mouse.move(barX, y + height + THUMB_SIZE);
  if (share === 0) await grid.mouse.move(barX, y - THUMB_SIZE);
  await grid.mouse.up();
  await waitUntilShown(grid);
}

/** Of Chromium's scroll bars, in px. */
const BAR_SIZE = 15;
const ARROW_SIZE = 18;
const THUMB_SIZE = 17;

async function waitUntilShown(grid: Page): Promise<void> {
  await grid.waitForTimeout(REST_MS);
  await grid.locator('.grid-row.loading').first().waitFor({ state: 'detached' });
}

/** Compares a row that is shown with the API's at the same place, and the scroll position with the place. */
async function expectRightRows(
  testBed: TestBed,
  api: Pick<Child, 'url'>,
  surveyId: number,
  grid: Page,
  place: number,
): Promise<void> {
  const [index, responseId] = await grid.evaluate<[number, number]>(`(() => {
    const rows = [...document.querySelectorAll('.grid-row')];
    const row = ${place} === 0 ? rows[0] : rows.at(-1);
    return [row.getAttribute('aria-rowindex') - 2, Number(row.querySelector('.grid-id').textContent)];
  })()`);
  const path = `/api/responses/${surveyId}/grid?columns=response_id&limit=1&page=${index + 1}`;
  const { data, meta } = page.parse(await call(testBed, api, 'GET', path));
  const expected = data.rows[0]?.response_id;
  if (responseId !== expected)
    throw new Error(`row ${index + 1} shows response ${responseId}, and the API has ${expected}`);
  const reached = (index + 1) / meta.total;
  if (place === 1 ? reached !== 1 : Math.abs(reached - place) > 0.1)
    throw new Error(
      `the scroll bar was dragged to ${place}, and the last row shown is ${index + 1} of ${meta.total}`,
    );
}
