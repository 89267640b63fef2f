import type { DeckHeader, DeckSlide } from '../../src/domain/reports/deck.ts';
import { type PdfOptions, writeReportPdf } from '../../src/exporters/pdf/report-pdf.ts';
import { deckHeader, slidesOf } from './sample-deck.ts';

/** A report as PDF, whole. */
export async function renderPdf(
  slides: readonly DeckSlide[],
  head: DeckHeader = deckHeader(),
  choices: PdfOptions = {},
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeReportPdf(head, slidesOf(slides), choices)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const textSlide = (markdown: string, title: string | null = 'A title'): DeckSlide => ({
  type: 'text',
  title,
  part: null,
  notes: '',
  markdown,
});
