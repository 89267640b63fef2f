import { describe, expect, it } from 'vitest';
import { renderPdf, textSlide } from '../support/render-pdf.ts';
import { infoOf, POPPLER, structureOf, textsOfPages, wordsOutside } from '../support/pdf-programs.ts';
import { BLUE, GREEN, RED, stripedPicture } from '../support/pictures.ts';
import { deckHeader, sampleSlides } from '../support/sample-deck.ts';

describe(`a report as PDF${POPPLER.skipNote}`, { skip: POPPLER.isSkipped }, () => {
  it('has a page of the chosen size for every slide, with metadata', async () => {
    const slides = await sampleSlides();
    const bytes = new Uint8Array(await stripedPicture(300, 100, [RED, GREEN, BLUE]).png());
    const logo = { kind: 'png', bytes, width: 300, height: 100 } as const;
    const pdf = await renderPdf(slides, deckHeader({ language: 'pt-BR', logo }));
    expect(pdf.toString('latin1')).toContain('/Lang (pt-BR)');
    const wide = infoOf(pdf);
    expect(Object.fromEntries(wide)).toMatchObject({
      Title: 'Coffee in the city 2026',
      Author: 'Ada Okafor',
      Creator: 'Meridian Research',
      Subject: 'What 2,436 people told us in autumn',
      Tagged: 'yes',
      Pages: String(slides.length),
      'Page size': '960 x 540 pts',
      'PDF version': '1.7',
    });
    expect(wide.get('CreationDate')).toContain('Nov 20 09:30:00 2026');
    const paper = infoOf(await renderPdf(slides.slice(0, 2), deckHeader({ page_size: 'a4' })));
    expect(paper.get('Page size')).toBe('841.89 x 595.28 pts (A4)');
  });

  it('tags headings, lists, tables and figures for screen readers', async () => {
    const pdf = await renderPdf(await sampleSlides());
    const structure = structureOf(pdf);
    for (const tag of [
      'Document',
      'Sect',
      'H1',
      'H2',
      'P',
      'L',
      'LI',
      'Lbl',
      'LBody',
      'Link',
      'Figure',
      'Table',
      'TR',
      'TH',
      'TD',
    ]) {
      expect(structure).toMatch(new RegExp(`^\\s*${tag}\\b`, 'm'));
    }
    expect(pdf.toString('latin1')).toContain('/Alt (Bars: Very satisfied 37%, Satisfied 14%, Neither 31%.)');
  });

  it('draws a slide of every type in every theme within its page', async () => {
    const slides = await sampleSlides();
    for (const settings of [{ language: 'en' }, { language: 'ar', page_size: 'a4' }] as const) {
      const { count, outside } = wordsOutside(await renderPdf(slides, deckHeader(settings)));
      expect(count).toBeGreaterThan(300);
      expect(outside).toEqual([]);
    }
  });

  it('shows the part number on pages of a split slide', async () => {
    const [page] = textsOfPages(
      await renderPdf([{ ...textSlide('x', 'Method'), part: { number: 2, total: 3 } }]),
    );
    expect(page).toMatch(/^Method \(2\/3\) x/);
  });
});
