/** Headers of replies by name, as `components.headers` of the API document has them. */
export const REPLY_HEADERS = {
  'RateLimit-Limit': { description: 'Requests allowed in the window', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests left in the window', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the window ends', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'Requests allowed and the window in seconds: `1000;w=900`',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait before the next try', schema: { type: 'integer' } },
  'Content-Disposition': {
    description: 'The file name, in ASCII and in UTF-8 (RFC 6266)',
    schema: { type: 'string' },
  },
  'Canvass-Counted': {
    description: 'Which responses the file holds: counted, and left out as test or flagged',
    schema: { type: 'string' },
  },
  ETag: { description: 'Send it as `If-None-Match`: 304 when nothing changed', schema: { type: 'string' } },
  Location: { description: 'The job', schema: { type: 'string' } },
  'Preference-Applied': {
    description: '`respond-async`, when the client asked for it',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, { description: string; schema: { type: 'integer' | 'string' } }>;
export type DocumentedHeader = keyof typeof REPLY_HEADERS;
