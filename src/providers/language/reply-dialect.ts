/** Ways to request JSON that matches a schema, the strictest first. `prompt`: the schema is part of the prompt only. */
const FORMATS = ['json_schema', 'json_object', 'prompt'] as const;
type Format = (typeof FORMATS)[number];

/** The request options that an OpenAI-compatible server supports. */
export interface Dialect {
  readonly format: Format;
  readonly limit: 'max_completion_tokens' | 'max_tokens';
  readonly temperature: boolean;
  readonly countsStreams: boolean;
  /** The other name of the limit was already tried. */
  readonly hasLimitChanged: boolean;
}

const FULL_DIALECT: Dialect = {
  format: 'json_schema',
  limit: 'max_completion_tokens',
  temperature: true,
  countsStreams: true,
  hasLimitChanged: false,
};

/** Most other servers support only the older name of the limit. */
export const dialectFor = (baseUrl: string): Dialect =>
  new URL(baseUrl).hostname === 'api.openai.com' ? FULL_DIALECT : { ...FULL_DIALECT, limit: 'max_tokens' };

/**
 * Returns the dialect to try after a server rejected a request; null if another dialect would not help. An error message that names no
 * option is attributed to the format, which most servers lack.
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
