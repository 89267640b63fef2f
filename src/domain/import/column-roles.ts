/** Metadata that a response is made with; the rest the server owns. */
export const IMPORTED_METADATA = [
  'submission_id',
  'response_status',
  'status_reason',
  'end_reason',
  'started_at',
  'completed_at',
  'duration_seconds',
  'language',
  'external_id',
  'is_test',
] as const;
export type ImportedMetadata = (typeof IMPORTED_METADATA)[number];

/**
 * What a column says about the response itself: metadata by its own name, or in the form of another tool.
 * `finished`: 1 or 0, the status · `submitted_at`: when it was submitted, empty while it is partial · `response_type`: the channel
 * by which Qualtrics received it, tests and previews among them · `ip_address`: never stored.
 */
export type ColumnRole = ImportedMetadata | 'finished' | 'submitted_at' | 'response_type' | 'ip_address';

/** The metadata column that a role fills; null: none. */
export function metadataOfRole(role: ColumnRole): ImportedMetadata | null {
  switch (role) {
    case 'finished':
      return 'response_status';
    case 'submitted_at':
      return 'completed_at';
    case 'response_type':
      return 'is_test';
    case 'ip_address':
      return null;
    default:
      return role;
  }
}
