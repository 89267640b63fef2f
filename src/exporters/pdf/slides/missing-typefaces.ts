import type { DeckHeader } from '../../../domain/reports/deck.ts';
import { TEXT_SIZES } from '../../slides/slide-page.ts';
import type { PdfCanvas } from '../pdf-canvas.ts';
import { drawFrame } from './frame.ts';

/** Draws the last page of a report with characters that no installed typeface has, or the only page of a report without slides. */
export function drawMissingTypefaces(
  notices: readonly string[],
  number: number,
  head: DeckHeader,
  canvas: PdfCanvas,
): void {
  const isEmpty = notices.length === 0;
  const slide = {
    type: 'text',
    title: isEmpty ? head.title : 'About this file',
    part: null,
    notes: '',
    markdown: '',
  } as const;
  const body = drawFrame(slide, number, head, canvas);
  let { y } = body;
  for (const notice of isEmpty ? ['This report has no slides yet.'] : notices) {
    y = canvas.drawParagraph(notice, { ...body, y }, { size: TEXT_SIZES.text - 2 }) + 8;
  }
}
