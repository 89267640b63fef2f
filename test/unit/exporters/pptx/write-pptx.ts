import type { DeckHeader, DeckSlide } from '../../../../src/domain/reports/deck.ts';
import { writeReportPptx } from '../../../../src/exporters/pptx/report-pptx.ts';
import { stream } from './sample-deck.ts';

export async function createPptx(head: DeckHeader, slides: readonly DeckSlide[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of writeReportPptx(head, stream(slides))) parts.push(part);
  return Buffer.concat(parts);
}
