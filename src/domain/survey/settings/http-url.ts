/** An address that a browser may be sent to or load an image from; `javascript:` and `data:` are none. */
export function isHttpUrl(text: string): boolean {
  return text.length <= 2_048 && /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text);
}
