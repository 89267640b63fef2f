import type { DeckSlide } from '../../domain/reports/deck.ts';

/** Bookmarks: slides by their sections. */
export class Outline {
  private readonly doc: PDFKit.PDFDocument;
  private section: PDFKit.PDFOutline | null = null;
  private last: string | null = null;

  constructor(doc: PDFKit.PDFDocument) {
    this.doc = doc;
  }

  /** Adds a bookmark to the current page. A slide over several pages gets one bookmark. */
  add({ type, title, part }: DeckSlide, number: number): void {
    const name = (title ?? '').replace(/\s+/g, ' ').trim() || `Slide ${number}`;
    const isContinued = part !== null && part.number > 1 && title === this.last;
    this.last = title;
    if (isContinued) return;
    if (type === 'section') this.section = this.doc.outline.addItem(name, { expanded: true });
    else (this.section ?? this.doc.outline).addItem(name);
  }
}
