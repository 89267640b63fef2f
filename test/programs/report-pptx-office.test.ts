import { beforeAll, describe, expect, test } from 'vitest';
import { convertToPdf, IMPRESS } from '../support/office-program.ts';
import { infoOf, POPPLER, textsOfPages } from '../support/pdf-programs.ts';
import { useFolder } from '../support/test-folder.ts';
import { createPptx } from '../unit/exporters/pptx/write-pptx.ts';
import { chart, chartSlide, everySlide, head } from '../unit/exporters/pptx/sample-deck.ts';

const folder = useFolder();
const SCRIPTS = {
  cyrillic: 'Насколько вы довольны',
  greek: 'Πόσο ικανοποιημένοι είστε',
  chinese: '您对我们的服务满意吗',
  korean: '서비스에 만족하십니까',
};
const LONG = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ');

describe.skipIf(IMPRESS.isSkipped || POPPLER.isSkipped)(
  `in LibreOffice${IMPRESS.skipNote}${POPPLER.skipNote}`,
  () => {
    const slides = [
      ...everySlide(),
      {
        ...everySlide()[2]!,
        type: 'text' as const,
        title: LONG,
        markdown: Object.values(SCRIPTS).join('\n\n'),
      },
      chartSlide(
        'Many',
        chart({
          type: 'bar',
          categories: Array.from({ length: 24 }, (_, index) => `Category number ${index}`),
          series: [{ values: Array.from({ length: 24 }, (_, index) => index) }],
        }),
      ),
    ];
    let pages: string[];
    let pdf: Buffer;

    beforeAll(async () => {
      pdf = convertToPdf(folder, await createPptx(head(), slides));
      pages = textsOfPages(pdf);
    }, 120_000);

    test('shows a slide as a page of the requested size', () => {
      expect(infoOf(pdf).get('Pages')).toBe(String(slides.length));
      expect(infoOf(pdf).get('Page size')).toMatch(/^960(\.\d+)? x 540/);
    });

    test('shows every title on its slide', () => {
      slides.forEach(({ title }, index) => expect(pages[index]).toContain(title));
    });

    test('shows categories, series and figures of charts', () => {
      for (const text of ['Always', 'Never', '12%', '35%']) expect(pages[3]).toContain(text);
      for (const text of ['18 to 34 (A)', '55 and above (C)', '% Bc']) expect(pages[5]).toContain(text);
      for (const text of ['Answers', 'Mean', '3.60']) expect(pages[12]).toContain(text);
      for (const text of ['1,204', 'respondents', '7%']) expect(pages[14]).toContain(text);
      for (const text of ['63%', '0%', '100%']) expect(pages[16]).toContain(text);
      for (const text of ['0–4', '55–59', '86,436', '90,000']) expect(pages[28]).toContain(text);
      expect(pages.at(-1)).toContain('Category number 23');
    });

    test('shows texts, tables and notes about hidden figures', () => {
      for (const text of ['Energy falls with age', '<b>markup</b>']) expect(pages[2]).toContain(text);
      for (const text of ['Women (B)', 'Top 2', '3.27', 'Sex']) expect(pages[22]).toContain(text);
      expect(pages[21]).toContain('The question of this chart was deleted.');
      expect(pages[26]).toContain('▲ +104 since Wave 1');
      expect(pages[27]).toContain('1 March to 7 April 2026');
      for (const page of pages.slice(2)) expect(page).toContain('What people are like');
    });

    test.each(Object.entries(SCRIPTS))('shows %s', (_, text) => {
      expect(pages[slides.length - 2]!.replaceAll(' ', '')).toContain(text.replaceAll(' ', ''));
    });
  },
);
