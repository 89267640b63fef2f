/** Whether a text is an http or https URL, which is safe as a link or image source, unlike `javascript:` and `data:`. */
export function isHttpUrl(text: string): boolean {
  return text.length <= 2_048 && /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text);
}
