/** Metadata that an import can set; the server sets the others. */
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
 * The role of a column that describes the response: metadata by their Canvass names, or in the form of another tool. `finished`: 1 or 0,
 * the status · `submitted_at`: submission time, empty for partial responses · `response_type`: the Qualtrics channel, including tests and
 * previews · `ip_address`: never stored.
 */
export type ColumnRole = ImportedMetadata | 'finished' | 'submitted_at' | 'response_type' | 'ip_address';

/** Returns the metadata column of a role, or null. */
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
