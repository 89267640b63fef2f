/** Why an entry through a link with a signing key is not as its panel signed it. */
export const ENTRY_MISMATCHES = ['missing', 'invalid', 'expired', 'used', 'no_key'] as const;
export type EntryMismatch = (typeof ENTRY_MISMATCHES)[number];

/**
 * Why the end of a response does not match its entry. `without_entry`: it was not started with a valid signature. `repeated`: another
 * response with its external id has ended.
 */
export const EXIT_MISMATCHES = ['without_entry', 'repeated'] as const;
type ExitMismatch = (typeof EXIT_MISMATCHES)[number];

export type PanelMismatch =
  { direction: 'entry'; reason: EntryMismatch } | { direction: 'exit'; reason: ExitMismatch };
