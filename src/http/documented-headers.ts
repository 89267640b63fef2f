/** Headers of replies by name, as `components.headers` of the API document has them. */
export const REPLY_HEADERS = {
  'RateLimit-Limit': { description: 'Requests allowed in the window', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests remaining in the window', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the window ends', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'Requests allowed, and the length of the window in seconds, such as `1000;w=900`',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait before retrying', schema: { type: 'integer' } },
  'Content-Disposition': {
    description: 'File name in ASCII and UTF-8 (RFC 6266)',
    schema: { type: 'string' },
  },
  'Canvass-Counted': {
    description:
      'Number of responses in the file, and of excluded test and flagged responses, such as `responses=120, ' +
      'test_responses_included=0, test_responses_excluded=30, quality_included=0, quality_excluded=2`',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'Version of the reply. Send it as `If-None-Match` to get 304 if nothing changed',
    schema: { type: 'string' },
  },
  Location: { description: 'URL of the job', schema: { type: 'string' } },
  'Preference-Applied': {
    description: '`respond-async`, if the request had this preference',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, { description: string; schema: { type: 'integer' | 'string' } }>;
export type DocumentedHeader = keyof typeof REPLY_HEADERS;
