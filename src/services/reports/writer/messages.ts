import type { DeckHeader, DeckSlide } from '../../../domain/reports/deck.ts';

export const REPORT_FORMATS = ['pdf', 'pptx'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** What a thread is to write. */
export interface WriteRequest {
  format: ReportFormat;
  head: DeckHeader;
}

/** From the thread: it wants a slide, it gives bytes (and waits until they were taken), it has written all of the file. */
export type FromWriter = { wants: 'slide' } | { bytes: Uint8Array } | { wants: 'nothing' };

/** To the thread: a file to be written, after the one before; a slide of it, null after the last one; its bytes were taken. */
export type ToWriter = { order: WriteRequest } | { slide: DeckSlide | null } | { taken: true };
