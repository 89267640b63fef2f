import { describe, expect, it } from 'vitest';
import { renderPdf, textSlide } from '../../../support/render-pdf.ts';
import { writeReportPdf } from '../../../../src/exporters/pdf/report-pdf.ts';
import {
  chartSlide,
  deckChart,
  deckFigures,
  deckHeader,
  sampleSlides,
} from '../../../support/sample-deck.ts';

describe('the PDF stream of a report', () => {
  it('emits each slide before requesting the next', async () => {
    let requestedSlides = 0;
    async function* slides() {
      for (const slide of [textSlide('one'), textSlide('two'), textSlide('three')]) {
        requestedSlides += 1;
        yield await Promise.resolve(slide);
      }
    }
    const requestCounts: number[] = [];
    for await (const chunk of writeReportPdf(deckHeader(), slides()))
      if (chunk.length > 0) requestCounts.push(requestedSlides);
    expect([...new Set(requestCounts)]).toEqual([1, 2, 3]);
  });

  it('is a valid file without slides', async () => {
    const pdf = (await renderPdf([])).toString('latin1');
    expect(pdf.startsWith('%PDF-1.7')).toBe(true);
    expect(pdf.trimEnd().endsWith('%%EOF')).toBe(true);
  });

  it('has bookmarks for sections and their slides, one per split slide', async () => {
    const frame = { part: null, notes: '' };
    const pdf = (
      await renderPdf([
        { ...frame, type: 'title', title: 'Start', subtitle: null },
        { ...frame, type: 'section', title: 'First section', subtitle: null },
        { ...textSlide('x', 'Spread'), part: { number: 1, total: 2 } },
        { ...textSlide('y', 'Spread'), part: { number: 2, total: 2 } },
        textSlide('z', null),
      ])
    ).toString('latin1');
    const titles = [...pdf.matchAll(/\/Title \(([^)]*)\)\n/g)].map(([, title]) => title);
    expect(titles.sort()).toEqual(['First section', 'Slide 5', 'Spread', 'Start']);
    expect(pdf).toContain('/PageMode /UseOutlines');
    expect(pdf).toContain('/DisplayDocTitle true');
  });

  it('has links only where the text has them', async () => {
    const pdf = (
      await renderPdf([
        textSlide('[a](https://example.com/a) [b](javascript:alert(1)) [c](file:///etc/passwd)'),
      ])
    ).toString('latin1');
    expect([...pdf.matchAll(/\/URI \(([^)]*)\)/g)].map(([, address]) => address)).toEqual([
      'https://example.com/a',
    ]);
  });

  it('writes two hundred slides while they are generated', async () => {
    const slides = Array.from({ length: 200 }, (_, at) =>
      at % 4 === 0
        ? chartSlide(`Chart ${at}`, deckChart(deckFigures(at % 8 === 0 ? 'bar' : 'donut')))
        : textSlide(`- one\n- two **${at}**`, `Slide ${at}`),
    );
    const pdf = await renderPdf(slides);
    expect(pdf.toString('latin1').match(/\/Type \/Page\n/g)).toHaveLength(200);
  });

  it('is deterministic for the same report', async () => {
    const slides = await sampleSlides();
    const [one, two] = [await renderPdf(slides.slice(0, 5)), await renderPdf(slides.slice(0, 5))];
    expect(one.equals(two)).toBe(true);
  });
});
