import yauzl from 'yauzl';
import type { DeckHead, DeckSlide } from '../../../../src/domain/reports/deck.ts';
import { reportPptx } from '../../../../src/exporters/pptx/report-pptx.ts';
import { stream } from './sample-deck.ts';

export async function written(head: DeckHead, slides: readonly DeckSlide[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of reportPptx(head, stream(slides))) parts.push(part);
  return Buffer.concat(parts);
}

/** The parts of a file, by their paths. */
export async function opened(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await yauzl.fromBufferPromise(bytes);
  const parts = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    parts.set(entry.fileName, Buffer.concat(chunks));
  }
  return parts;
}
