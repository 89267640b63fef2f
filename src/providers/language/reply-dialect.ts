/** How an answer of a schema is asked for: the strictest first. */
const FORMATS = ['json_schema', 'json_object', 'words'] as const;
type Format = (typeof FORMATS)[number];

/** What a server that speaks like OpenAI's understands of it; each refuses something else. */
export interface Dialect {
  readonly format: Format;
  readonly limit: 'max_completion_tokens' | 'max_tokens';
  readonly temperature: boolean;
  readonly countsStreams: boolean;
  /** Has the name of the limit been changed already? */
  readonly hasLimitChanged: boolean;
}

const FULL_DIALECT: Dialect = {
  format: 'json_schema',
  limit: 'max_completion_tokens',
  temperature: true,
  countsStreams: true,
  hasLimitChanged: false,
};

/** Most servers but OpenAI's own know only the older name. */
export const dialectFor = (baseUrl: string): Dialect =>
  new URL(baseUrl).hostname === 'api.openai.com' ? FULL_DIALECT : { ...FULL_DIALECT, limit: 'max_tokens' };

/**
 * The next to try after a server called a request wrong; null: it does not depend on how it was asked. Where the complaint names nothing,
 * it is taken for the format, which most servers lack.
 */
export function simplerDialect(
  dialect: Dialect,
  requestError: string,
  isStructured: boolean,
): Dialect | null {
  const message = requestError.toLowerCase();
  if (message.includes('context_length') || message.includes('context length')) return null;
  if (message.includes('temperature') && dialect.temperature) return { ...dialect, temperature: false };
  if (message.includes('stream_options') && dialect.countsStreams)
    return { ...dialect, countsStreams: false };
  if (/max_(completion_)?tokens/.test(message) && !dialect.hasLimitChanged) {
    const limit = dialect.limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    return { ...dialect, limit, hasLimitChanged: true };
  }
  const next = FORMATS[FORMATS.indexOf(dialect.format) + 1];
  return isStructured && next !== undefined ? { ...dialect, format: next } : null;
}
