/** Makes model output safe to store: removes lone surrogates and control characters except tabs and line feeds. */
export const cleanText = (text: string): string => text.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, '');

/** Cleans streamed text; a high surrogate at the end of a chunk is held back until the next chunk. */
export class StreamTextCleaner {
  private half = '';

  clean(chunk: string): string {
    const text = this.half + chunk;
    this.half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : '';
    return cleanText(text.slice(0, text.length - this.half.length));
  }
}
