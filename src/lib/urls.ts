/** Whether a text is an http or https URL, which is safe as a link or image source, unlike `javascript:` and `data:`. */
export function isHttpUrl(text: string): boolean {
  return text.length <= 2_048 && /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text);
}

/** Returns the URL as browsers normalize it if its origin is one of these, otherwise null. */
export function normalizeAllowedUrl(text: string, origins: readonly string[]): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  const hasNoCredentials = url.username === '' && url.password === '';
  const isAllowed = origins.some((origin) => URL.canParse(origin) && new URL(origin).origin === url.origin);
  return isWeb && hasNoCredentials && isAllowed ? url.href : null;
}
