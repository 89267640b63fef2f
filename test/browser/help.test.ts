import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { anonymous } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  PHONE,
  useBrowser,
} from '../support/browser.ts';
import { savePicture } from '../support/survey-editor.ts';

describe('help pages', () => {
  const test = useApp();

  it('lead to each other, without a broken link', async () => {
    const client = anonymous(test);
    const anchorsByPath = new Map<string, Set<string>>();
    const links: [from: string, path: string, anchor: string | undefined][] = [];
    const queue = ['/help'];
    for (const path of queue) {
      if (anchorsByPath.has(path)) continue;
      const { text } = await client.get(path).expect(200).expect('Content-Type', /html/);
      anchorsByPath.set(path, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)));
      for (const [, href] of text.matchAll(/ href="([^"]+)"/g)) {
        const [target = '', anchor] = href!.split('#');
        if (target !== '' && !target.startsWith('/help')) continue;
        links.push([path, target === '' ? path : target, anchor]);
        queue.push(target === '' ? path : target);
      }
      for (const [, source] of text.matchAll(/<img src="([^"]+)"/g))
        await client.get(source!).expect(200).expect('Content-Type', 'image/png');
    }
    expect([...anchorsByPath.keys()]).toContain('/help/how-to/run-fieldwork');
    const broken = links.filter(
      ([, path, anchor]) => anchor !== undefined && anchorsByPath.get(path)?.has(anchor) !== true,
    );
    expect(broken).toEqual([]);
  });

  it('list every page under its audience', async () => {
    const { text } = await anonymous(test).get('/help').expect(200);
    const navigation = /<nav class="help-navigation".*?<\/nav>/s.exec(text)?.[0] ?? '';
    const listed = [...navigation.matchAll(/ href="\/help\/?([^"]*)"/g)].map(([, name]) => name!);
    const files = readdirSync(new URL('../../docs/', import.meta.url), { recursive: true })
      .map((file) => String(file))
      .filter((file) => file.endsWith('.md') && !file.startsWith('adr') && file !== 'README.md')
      .map((file) => file.replace(/\.md$/, ''));
    expect([...listed].sort()).toEqual(['', ...files].sort());
    const titles = [...navigation.matchAll(/<p class="title">([^<]+)/g)].map(([, title]) => title);
    expect(titles.slice(0, 4)).toEqual(['Start', 'For researchers', 'For operators', 'For contributors']);
  });

  it('reply 404 to other paths', async () => {
    const client = anonymous(test);
    for (const path of [
      '/help/nothing',
      '/help/images/none.png',
      '/help/images/..%2Ftutorial.md',
      '/help/README',
    ])
      await client.get(path).expect(404);
  });

  describe.skipIf(browserSkipReason() !== null)('in a browser', BROWSER_TEST_OPTIONS, () => {
    const browser = useBrowser(test);
    afterEach(() => expect(browser.problems()).toEqual([]));

    it.each([
      ['/help', 'desktop', DESKTOP],
      ['/help/tutorial', 'phone', PHONE],
      ['/help/reference/question-types', 'desktop', DESKTOP],
      ['/help/reference/permissions', 'phone', PHONE],
    ] as const)('%s is accessible on a %s', async (path, device, options) => {
      const page = await browser.visit(path, options);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await savePicture(page, `help-${path.split('/').at(-1)}-${device}`);
      await expectAccessible(page);
    });
  });
});
