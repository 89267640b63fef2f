import { describe, expect, it } from 'vitest';
import { renderPdf, textSlide } from '../support/render-pdf.ts';
import { POPPLER, textsOfPages, wordsOutside } from '../support/pdf-programs.ts';
import {
  chartSlide,
  deckChart,
  deckFigures,
  deckHeader,
  deckTable,
  SCRIPT_SAMPLES,
} from '../support/sample-deck.ts';

describe(`extreme content in a PDF report${POPPLER.skipNote}`, { skip: POPPLER.isSkipped }, () => {
  it('draws very long names, sixty categories and empty charts within the page', async () => {
    const long = 'How satisfied were you, on the whole, with the coffee at your place of work? ';
    const many = Array.from(
      { length: 60 },
      (_, at) => `${at + 1}. ${Object.values(SCRIPT_SAMPLES)[at % 8]!} ${long}`,
    );
    const empty = { ...deckFigures('bar'), categories: [], series: [] };
    const pdf = await renderPdf(
      [
        { type: 'title', title: long.repeat(5), subtitle: long.repeat(5), part: null, notes: '' },
        chartSlide('W'.repeat(400), deckChart(deckFigures('horizontal-bar', { categories: many }))),
        chartSlide(
          long.repeat(6),
          deckChart(deckFigures('donut', { categories: many.slice(0, 20) })),
          deckChart(empty),
        ),
        chartSlide('Few', deckChart({ ...deckFigures('line'), base: null, suppressed: true })),
        { type: 'table', title: 'T', part: null, notes: '', table: deckTable(60) },
        { type: 'key-figures', title: null, part: null, notes: '', markdown: long.repeat(20), figures: [] },
        textSlide(`${long.repeat(40)}\n\n- ${'x'.repeat(3_000)}`),
        {
          type: 'method',
          title: 'M',
          part: null,
          notes: '',
          survey: long.repeat(3),
          parts: [
            {
              heading: long.repeat(3),
              facts: Array.from({ length: 60 }, () => [long, long.repeat(4)]),
              paragraphs: [long.repeat(30)],
              table: deckTable(9),
            },
          ],
        },
      ],
      deckHeader({ footer: long.repeat(5) }),
    );
    const pages = textsOfPages(pdf);
    expect(pages).toHaveLength(8);
    expect(pages[1]).toContain('59. ');
    expect(pages[2]).toContain('No answers yet.');
    expect(pages[3]).toContain('Hidden: too few respondents');
    expect(wordsOutside(pdf).outside).toEqual([]);
  });

  it('shows why a figure is missing in place of the figure', async () => {
    const problem = { problem: 'The question of this chart was deleted.' };
    const frame = { title: 'T', part: null, notes: '' };
    const pages = textsOfPages(
      await renderPdf([
        chartSlide('T', deckChart(problem)),
        { ...frame, type: 'table', table: problem },
        { ...frame, type: 'image', picture: problem, alt: null, caption: null },
      ]),
    );
    expect(pages.filter((page) => page.includes(problem.problem))).toHaveLength(3);
  });

  it('renders markup as text', async () => {
    const evil = '<script>alert(1)</script>';
    const pdf = await renderPdf([
      textSlide(evil, evil),
      chartSlide(evil, deckChart(deckFigures('horizontal-bar', { categories: [`${evil} & "so" on`, 'b'] }))),
    ]);
    const [text, chart] = textsOfPages(pdf);
    expect(text!.split(evil)).toHaveLength(3);
    expect(chart).toContain(`${evil} & "so" on`);
  });
});
