import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  SMALL_PHONE,
  useBrowser,
} from '../support/browser.ts';

const FOLDER = 'src/web/shared/client';
const STYLES = ['tokens', 'base', 'controls', 'components', 'dialog'];
/** A light color of an author, on which text has to be black. */
const AUTHOR_COLORS =
  ':root{--accent:#facc15;--on-accent:#000000;--accent-text-on-light:#7a6410;--accent-text-on-dark:#facc15}';

describe.skipIf(browserSkipReason() !== null)('components of the design system', BROWSER_TEST_OPTIONS, () => {
  const browser = useBrowser(useApp());
  const style = STYLES.map((name) => readFileSync(`${FOLDER}/${name}.css`, 'utf8')).join('');
  let script: string;
  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: [`${FOLDER}/gallery.tsx`],
      bundle: true,
      write: false,
      format: 'iife',
      jsx: 'automatic',
      jsxImportSource: 'preact',
    });
    script = outputFiles[0]?.text ?? '';
  });

  async function openGallery(options: Parameters<typeof browser.visit>[1], more = ''): Promise<Page> {
    const page = await browser.visit('/', options);
    await page.setContent('<!doctype html><html lang="en"><title>Gallery</title><body></body></html>');
    // Through the debugger: the policy of a page would not let them in.
    await page.evaluate(
      `document.adoptedStyleSheets = [(() => { const sheet = new CSSStyleSheet(); sheet.replaceSync(${JSON.stringify(style + more)}); return sheet; })()]`,
    );
    await page.evaluate(script);
    await page.getByRole('heading', { name: 'Gallery' }).waitFor();
    return page;
  }

  it.each([
    ['wide', DESKTOP, ''],
    ['narrow', SMALL_PHONE, ''],
    ['wide, with the color of an author', DESKTOP, AUTHOR_COLORS],
  ] as const)('are accessible (%s)', async (_name, size, colors) => {
    const page = await openGallery(size, colors);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open the dialog' }).click();
    await page.getByRole('dialog', { name: 'A dialog' }).waitFor();
    await expectAccessible(page);
  });

  it('work with the keyboard', async () => {
    const page = await openGallery(DESKTOP);
    const live = page.getByRole('switch', { name: 'Live updates' });
    await live.focus();
    await page.keyboard.press('Space');
    expect(await live.isChecked()).toBe(false);
    await page.getByRole('radio', { name: 'Small' }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: 'Large' }).isChecked()).toBe(true);
    const opener = page.getByRole('button', { name: 'Open the dialog' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Open the dialog');
  });
});
