import type { DeckHeader, DeckSlide } from '../../../domain/reports/deck.ts';

export const REPORT_FORMATS = ['pdf', 'pptx'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** A file for a thread to write. */
export interface WriteRequest {
  format: ReportFormat;
  head: DeckHeader;
}

/** From the thread: requests a slide, sends bytes (then waits for `taken`), or reports the end of the file. */
export type FromWriter = { request: 'slide' } | { bytes: Uint8Array } | { request: 'nothing' };

/** To the thread: a file to write after the previous one; a slide of it, null after the last one; acknowledgement of bytes. */
export type ToWriter = { order: WriteRequest } | { slide: DeckSlide | null } | { acknowledged: true };
