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
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
      expect(new Set(ids).size).toBe(ids.length);
      anchorsByPath.set(path, new Set(ids));
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
    expect([...listed].sort()).toEqual(['', 'adr', ...files].sort());
    const audiences = [...navigation.matchAll(/<summary>([^<]+)/g)].map(([, title]) => title);
    expect(audiences).toEqual(['For researchers', 'For administrators', 'For developers']);
  });

  it('open the audience of the page that is read', async () => {
    const openOn = async (path: string) => {
      const { text } = await anonymous(test).get(path).expect(200);
      const navigation = /<nav class="help-navigation".*?<\/nav>/s.exec(text)?.[0] ?? '';
      return [...navigation.matchAll(/<details open>\s*<summary>([^<]+)/g)].map(([, title]) => title);
    };
    expect(await openOn('/help')).toEqual(['For researchers']);
    expect(await openOn('/help/how-to/run-fieldwork')).toEqual(['For researchers']);
    expect(await openOn('/help/how-to/install')).toEqual(['For administrators']);
    expect(await openOn('/help/tutorial')).toEqual(['For developers']);
  });

  describe('the search', () => {
    const find = async (query: string) => {
      const { text } = await anonymous(test).get('/help/search').query({ q: query }).expect(200);
      return text;
    };
    const titlesIn = (text: string) =>
      [...text.matchAll(/<h2><a href="([^"]+)">([^<]+)/g)].map(([, address, title]) => [address, title]);

    it('finds pages by all words, those with them in the title first', async () => {
      const text = await find('Weighting DATA');
      expect(titlesIn(text)[0]).toEqual(['/help/how-to/clean-and-weight-data', 'Clean and weight data']);
      expect(text).toMatch(/<mark>[Ww]eight/);
      expect(titlesIn(await find('quota')).length).toBeGreaterThan(2);
      expect(titlesIn(await find('DELETED_RETENTION_DAYS'))).toContainEqual([
        '/help/reference/settings',
        'Settings',
      ]);
    });

    it('leads to the part of a page that matches', async () => {
      const text = await find('change log undo');
      const part = /<a href="(\/help\/[^"#]+)#([^"]+)">/.exec(text);
      expect((await anonymous(test).get(part![1]!).expect(200)).text).toContain(` id="${part![2]}"`);
    });

    it('says that no page matches, and shows the words as text', async () => {
      const text = await find('zeppelin <b>');
      expect(text).toContain('No pages match “zeppelin &lt;b&gt;”');
      expect(titlesIn(text)).toEqual([]);
      expect(titlesIn(await find(''))).toEqual([]);
      expect(await find('(*+?')).toContain('No pages match');
    });
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
      ['/help/search?q=quota', 'desktop', DESKTOP],
      ['/help/search?q=quota', 'phone', PHONE],
      ['/api/docs/', 'desktop', DESKTOP],
      ['/api/docs/workspaces', 'desktop', DESKTOP],
      ['/api/docs/workspaces', 'phone', PHONE],
      ['/api/docs/schemas/UpdateSurveyRequest', 'phone', PHONE],
      ['/api/docs/search?q=export', 'desktop', DESKTOP],
    ] as const)('%s is accessible on a %s', async (path, device, options) => {
      const page = await browser.visit(path, options);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await savePicture(page, `help-${path.slice(1).replaceAll(/\W/g, '-')}-${device}`);
      await expectAccessible(page);
    });

    it('is searched with the keyboard alone', async () => {
      const page = await browser.visit('/help', DESKTOP);
      await page.getByRole('searchbox', { name: 'Search help' }).focus();
      await page.keyboard.type('leave out responses');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: /match “leave out responses”/ }).waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('leave out responses');
      await page.getByRole('main').getByRole('link', { name: 'Use the studio' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'How to use the studio' }).waitFor();
    });
  });
});
