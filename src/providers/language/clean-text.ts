/** Text of a model as it can be stored and shown: no control characters but tabs and new lines, no half characters. */
export const cleanText = (text: string): string => text.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, '');

/** The same for text that comes in pieces: half a character waits for the other half. */
export class StreamTextCleaner {
  private half = '';

  clean(chunk: string): string {
    const text = this.half + chunk;
    this.half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : '';
    return cleanText(text.slice(0, text.length - this.half.length));
  }
}
