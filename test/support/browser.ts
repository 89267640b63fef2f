import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { TestApp } from './app.ts';
import { findChromium, launchChromium } from './chromium.ts';

/** Why browser tests cannot run here; null where they can. Where everything must hold (CI=true) a missing browser is a failure. */
export function browserSkipReason(): string | null {
  if (findChromium() !== null) return null;
  const reason = 'no chromium was found: set CHROMIUM_PATH, or install one';
  if (process.env.CI === 'true') throw new Error(`CI=true, and ${reason}`);
  console.warn(`Browser tests are skipped: ${reason}`);
  return reason;
}

/** Repeats a failed check once, because a browser on a busy machine may be late. A real failure occurs twice. */
export const BROWSER_TEST_OPTIONS = { retry: process.env.CI === 'true' ? 1 : 0 } as const;

export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;
export const SMALL_PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true } as const;
export const DESKTOP = { viewport: { width: 1280, height: 800 } } as const;

interface Person {
  email: string;
  password: string;
}

export interface BrowserFixture {
  readonly origin: string;
  /** Opens a page in a new browser context. Requests to other hosts and browser errors fail the test at its end. */
  visit(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** The same in a context that has the user's session cookie. Only tests of signing in fill in its form. */
  visitAs(user: Person, path: string, options?: BrowserContextOptions): Promise<Page>;
  /** Stops listening and closes all connections. */
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  /** Problems recorded in the background: foreign requests, policy violations, uncaught errors. */
  problems(): string[];
}

let launched: Promise<Browser> | null = null;

/** One browser for all test files of a process. Each page has a separate context. */
function sharedBrowser(): Promise<Browser> {
  launched ??= launchChromium();
  return launched;
}

/** Call at the top of a test file: starts the application and a browser. Pages are closed after each test. */
export function useBrowser(test: TestApp): BrowserFixture {
  let browser: Browser | null = null;
  let server: Server | null = null;
  let port = 0;
  const problems: string[] = [];
  const contexts: BrowserContext[] = [];
  const start = async () => {
    server = createServer(test.app);
    await new Promise<void>((resolve) => server!.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    const closing = new Promise((resolve) => server!.close(resolve));
    server!.closeAllConnections();
    await closing;
  };
  const origin = () => `http://127.0.0.1:${port}`;

  beforeAll(async () => {
    if (findChromium() === null) return;
    await start();
    browser = await sharedBrowser();
  });
  // Closes pages, because an open page keeps polling and slows down later tests.
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    if (browser !== null) await stop();
  });

  const openContext = async (options: BrowserContextOptions) => {
    const context = await browser!.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
    contexts.push(context);
    return context;
  };
  const openPage = async (context: BrowserContext, path: string) => {
    const page = await context.newPage();
    page.setDefaultTimeout(8_000);
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== origin())
        problems.push(`asked ${url.href}`);
    });
    page.on('pageerror', (error) => problems.push(`uncaught ${error.message}`));
    page.on('console', (message) => {
      if (/Content.Security.Policy|Refused to/i.test(message.text())) problems.push(message.text());
    });
    await page.goto(origin() + path);
    return page;
  };

  return {
    get origin() {
      return origin();
    },
    async visit(path, options = PHONE) {
      return openPage(await openContext(options), path);
    },
    async visitAs({ email, password }, path, options = PHONE) {
      const context = await openContext(options);
      const reply = await context.request.post(`${origin()}/api/auth`, {
        data: { action: 'login', email, password },
      });
      expect(reply.ok(), await reply.text()).toBe(true);
      return openPage(context, path);
    },
    stopServer: stop,
    startServer: start,
    problems: () => problems,
  };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const EVERY_RULE = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The rules that depend on colors. The structure of a page is the same in light and dark mode. */
const COLOR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
const SCHEMES = [
  { colorScheme: 'light', runOnly: EVERY_RULE },
  { colorScheme: 'dark', runOnly: COLOR_RULES },
] as const;

interface AxeResult {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
  passes: unknown[];
}

/** Colors that are still on their way from one scheme to the other would be measured in between. */
const ANIMATIONS_FINISHED = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => null))))`;

const violationsOf = (page: Page, runOnly: object): Promise<AxeResult> =>
  page.evaluate(
    `${ANIMATIONS_FINISHED}
      .then(() => axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'], selectors: false }))
      .then(({ violations, passes }) => ({ violations, passes: passes.map(({ id }) => id) }))`,
  );

/** Checks the page with axe-core in light and dark mode, and whether it fits the width. */
export async function expectAccessible(page: Page): Promise<void> {
  // Through the debugger: the page's own policy would not let it in.
  if ((await page.evaluate('typeof window.axe')) === 'undefined') await page.evaluate(AXE);
  for (const { colorScheme, runOnly } of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // On a busy machine a part of the page may still have the previous colors; a real failure remains.
    let result = await violationsOf(page, runOnly);
    if (result.violations.length > 0) {
      await page.waitForTimeout(500);
      result = await violationsOf(page, runOnly);
    }
    const isCovered = ({ id, nodes }: AxeResult['violations'][number]) =>
      id === 'target-size' &&
      nodes.some(({ failureSummary = '' }) => /partially obscured/.test(failureSummary));
    // A bar that stays in view covers a part of what scrolls below it. At the top of the page it covers nothing.
    if (result.violations.some(isCovered)) {
      await page.evaluate('scrollTo(0, 0)');
      const sizes = await violationsOf(page, { type: 'rule', values: ['target-size'] });
      const others = result.violations.filter(({ id }) => id !== 'target-size');
      result = { ...result, violations: [...others, ...sizes.violations] };
    }
    const found = result.violations.map(
      ({ id, nodes }) =>
        `${colorScheme} ${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(' | ')}`,
    );
    expect(found).toEqual([]);
    expect(result.passes.length).toBeGreaterThan(0);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoHorizontalScroll(page);
}

/** Nothing is wider than the screen. */
export async function expectNoHorizontalScroll(page: Page): Promise<void> {
  const [content, screen] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  expect(content).toBeLessThanOrEqual(screen);
}
