/** The client's preference for long work (RFC 7240); null: none. */
export type ReplyPreference = 'respond-async' | 'wait' | null;

/** Ignores other preferences. `respond-async` takes precedence over `wait`. */
export function replyPreference(header: string | string[] | undefined): ReplyPreference {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  const unquoted = text.replace(/"[^"]*"/g, '');
  const names = unquoted.split(',').map((preference) => preference.split(/[=;]/)[0]!.trim().toLowerCase());
  if (names.includes('respond-async')) return 'respond-async';
  return names.includes('wait') ? 'wait' : null;
}
