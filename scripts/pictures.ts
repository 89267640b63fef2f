/**
 * `npm run pictures`: takes the pictures of the guides and of README.md from a server with demo data, and writes them to docs/images. Run it
 * before a release, and look at each picture.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pngQuantize } from '@napi-rs/image';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../test/support/chromium.ts';
import { printedValue, startServer } from '../test/support/server-process.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';

const IMAGES = new URL('../docs/images/', import.meta.url);
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 800 };
/** Slides of the demo report, from 1, which one picture shows beside each other. */
const SLIDES = [2, 6, 8, 13];
/** Of all pictures of this script together, so that the repository stays small. */
const MAX_TOTAL_BYTES = 3_000_000;
/** Animations of figures and notices end within this time. */
const SETTLING_MS = 1_500;

interface Picture {
  name: string;
  /** Below the address of the server. */
  path: string;
  size: typeof DESKTOP;
  /** Whether a visitor sees it who has not signed in. */
  isPublic?: boolean;
  /** Brings the page into the state that the picture shows. */
  prepare?: (page: Page) => Promise<void>;
}

/** Paths of the demo data, which the server prints. */
interface DemoPaths {
  survey: string;
  dashboard: string;
}

/** The café survey of the demo data, which has questions of many types. */
const CAFE = '/surveys/2';

/** Shows the addresses that an installation would have. */
const showPublicAddresses = (page: Page): Promise<void> =>
  page.getByText(/^http:\/\/127/).evaluateAll((addresses) => {
    for (const address of addresses)
      address.textContent = address.textContent.replace(/^http:\/\/[^/]+/, 'https://surveys.example.org');
  });

/** The first question, below a statement. */
const editFirstQuestion = (page: Page): Promise<void> =>
  page.getByRole('textbox', { name: 'Question text' }).nth(1).click();

const picturesOf = ({ survey, dashboard }: DemoPaths): Picture[] => [
  { name: 'studio-surveys', path: '/surveys', size: DESKTOP },
  {
    name: 'studio-editor',
    path: `${CAFE}/edit`,
    size: DESKTOP,
    prepare: editFirstQuestion,
  },
  { name: 'studio-collect', path: `${CAFE}/collect`, size: DESKTOP, prepare: showPublicAddresses },
  { name: 'studio-results', path: `${CAFE}/results`, size: DESKTOP },
  { name: 'studio-responses', path: `${CAFE}/responses`, size: DESKTOP },
  {
    name: 'studio-quality',
    path: `${CAFE}/responses`,
    size: DESKTOP,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Quality', exact: true }).click();
      await page
        .getByRole('dialog')
        .getByText(/^Flags /)
        .first()
        .waitFor();
    },
  },
  { name: 'studio-dashboard-edit', path: '/dashboards/1/edit', size: DESKTOP },
  { name: 'dashboard-desktop', path: dashboard, size: DESKTOP, isPublic: true },
  { name: 'respondent-phone', path: survey, size: PHONE, isPublic: true },
];

async function takePicture(
  page: Page,
  origin: string,
  { name, path, size, prepare }: Picture,
): Promise<number> {
  await page.setViewportSize(size);
  await page.goto(origin + path, { waitUntil: 'networkidle' });
  await prepare?.(page);
  await page.waitForTimeout(SETTLING_MS);
  // The editor scrolls to the question that is edited.
  await page.evaluate(() => scrollTo(0, 0));
  return savePicture(name, await page.screenshot());
}

/** Takes a picture of slides of the report's PDF file, as the program pdftoppm (poppler-utils) draws them. */
async function takeReportPicture(user: Page, origin: string, folder: string): Promise<number> {
  const reply = await user.request.post(`${origin}/api/reports/1/export/pdf`, { data: {} });
  if (!reply.ok()) throw new Error(`The report was not exported: ${await reply.text()}`);
  const file = path.join(folder, 'report.pdf');
  writeFileSync(file, await reply.body());
  const slides = SLIDES.map((number) => {
    const name = path.join(folder, `slide-${number}`);
    const settings = ['-png', '-singlefile', '-r', '120', '-f', String(number), '-l', String(number)];
    const { status, stderr } = spawnSync('pdftoppm', [...settings, file, name], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`pdftoppm (poppler-utils) failed: ${stderr}`);
    return `<img src="data:image/png;base64,${readFileSync(`${name}.png`).toString('base64')}">`;
  });
  await user.setViewportSize({ width: 1624, height: 924 });
  await user.goto('about:blank');
  await user.setContent(
    `<style>body { margin: 0; padding: 6px; display: grid; gap: 12px; grid-template-columns: 1fr 1fr; background: #d8d5cc }
      img { inline-size: 100% }</style>${slides.join('')}`,
  );
  return savePicture('report', await user.screenshot({ fullPage: true }));
}

async function savePicture(name: string, screenshot: Buffer): Promise<number> {
  const picture = await pngQuantize(screenshot, { minQuality: 70, maxQuality: 95 });
  writeFileSync(new URL(`${name}.png`, IMAGES), picture);
  console.log(`${name}.png: ${Math.round(picture.length / 1_000)} kB`);
  return picture.length;
}

async function openContext(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  return context.newPage();
}

async function takePictures(browser: Browser, printed: string, folder: string): Promise<void> {
  const origin = printedValue(printed, 'Canvass listens on');
  const pathOf = (label: string) => new URL(printedValue(printed, label)).pathname;
  const pictures = picturesOf({ survey: pathOf('Demo survey'), dashboard: pathOf('Demo dashboard') });
  const [signInLink = ''] = /http\S+#sign-in=\S+/.exec(printed) ?? [];
  const [user, visitor] = [await openContext(browser), await openContext(browser)];
  await user.goto(signInLink);
  await user.getByRole('navigation', { name: 'Areas' }).waitFor();
  let total = 0;
  for (const picture of pictures)
    total += await takePicture(picture.isPublic ? visitor : user, origin, picture);
  total += await takeReportPicture(user, origin, folder);
  if (total > MAX_TOTAL_BYTES)
    throw new Error(`The pictures take ${total} bytes, more than ${MAX_TOTAL_BYTES}`);
}

const { folder, remove } = temporaryFolder('pictures');
const server = startServer({ DATA_DIR: folder, PORT: '0' });
const browser = await launchChromium();
try {
  if ((await server.started()) !== null) throw new Error(`The server did not start: ${server.logged()}`);
  await takePictures(browser, server.printed(), folder);
} finally {
  await browser.close();
  server.process.kill('SIGTERM');
  await server.ended();
  remove();
}
