import { describe, expect, it } from 'vitest';
import { renderPdf, textSlide } from '../support/render-pdf.ts';
import { Typefaces } from '../../src/exporters/pdf/typefaces.ts';
import { fontsOf, POPPLER, textsOfPages } from '../support/pdf-programs.ts';
import {
  chartSlide,
  deckChart,
  deckFigures,
  deckHeader,
  deckTable,
  SCRIPT_SAMPLES,
  sampleSlides,
} from '../support/sample-deck.ts';

describe(`scripts in a report as PDF${POPPLER.skipNote}`, { skip: POPPLER.isSkipped }, () => {
  it.each(Object.entries(SCRIPT_SAMPLES))('keeps %s extractable anywhere', async (_script, words) => {
    const table = { ...deckTable(1), corner: words };
    const [text, chart, rows] = textsOfPages(
      await renderPdf([
        textSlide(`- **${words}**\n\n${words}`, words),
        chartSlide('A chart', deckChart(deckFigures('horizontal-bar', { categories: [words, 'Other'] }))),
        { type: 'table', title: 'A table', part: null, notes: '', table },
      ]),
    );
    expect(text!.split(words)).toHaveLength(4);
    expect(chart).toContain(words);
    expect(rows).toContain(words);
  });

  it('distinguishes Arabic letters that differ only in their dots', async () => {
    const words = 'بنت تبن ثبت نبت يبث فقق خحج شسص ؤئأإ';
    expect(textsOfPages(await renderPdf([textSlide(words)]))[0]).toContain(words);
  });

  it('keeps brackets in order within right-to-left text', async () => {
    const head = deckHeader({ language: 'ar', footer: 'تقرير القهوة' }, 'القهوة في المدينة');
    const pdf = await renderPdf([textSlide('القهوة (في المدينة) طيبة', 'القهوة')], head);
    expect(textsOfPages(pdf)[0]).toContain('القهوة (في المدينة) طيبة');
  });

  it('embeds the glyphs in use of every font', async () => {
    const fonts = fontsOf(await renderPdf(await sampleSlides()));
    expect(fonts.map(({ name }) => name.replace(/^[A-Z]{6}\+/, ''))).toEqual(
      expect.arrayContaining([
        'NotoSans-Regular',
        'NotoSans-SemiBold',
        'NotoSansArabic-Regular',
        'NotoSansHebrew-Regular',
        'NotoSansHans-Regular',
        'NotoSansKR-Regular',
      ]),
    );
    expect(fonts.filter(({ embedded, subset, unicode }) => !embedded || !subset || !unicode)).toEqual([]);
  });

  it('loads no font that no text needs', async () => {
    const names = fontsOf(await renderPdf([textSlide('Plain')])).map(({ name }) => name.slice(7));
    expect(names.sort()).toEqual(['NotoSans-Regular', 'NotoSans-SemiBold']);
  });

  it('names the package with missing glyphs at the end', async () => {
    const root = (name: string) =>
      name.startsWith('@embedpdf/') ? null : new URL(`../../node_modules/${name}`, import.meta.url).pathname;
    const pdf = await renderPdf(
      [textSlide(`${SCRIPT_SAMPLES.chinese} and ${SCRIPT_SAMPLES.korean}`)],
      deckHeader(),
      {
        typefaces: new Typefaces(root),
      },
    );
    const pages = textsOfPages(pdf);
    expect(pages).toHaveLength(2);
    expect(pages[1]).toContain('install the package @embedpdf/fonts-sc');
    expect(pages[1]).toContain('install the package @embedpdf/fonts-kr');
    expect(
      fontsOf(pdf)
        .map(({ name }) => name.slice(7))
        .sort(),
    ).toEqual(['NotoSans-Regular', 'NotoSans-SemiBold']);
  });
});
