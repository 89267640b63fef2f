/** How the client would like long work to be answered (RFC 7240); null: it does not say. */
export type ReplyPreference = 'respond-async' | 'wait' | null;

/** Whatever else is preferred is none of our business; `respond-async` beside `wait` means a job. */
export function replyPreference(header: string | string[] | undefined): ReplyPreference {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  const unquoted = text.replace(/"[^"]*"/g, '');
  const names = unquoted.split(',').map((preference) => preference.split(/[=;]/)[0]!.trim().toLowerCase());
  if (names.includes('respond-async')) return 'respond-async';
  return names.includes('wait') ? 'wait' : null;
}
