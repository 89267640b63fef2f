/** Where somebody acts from. */
export interface Origin {
  /** null: a link that was sent to them. */
  credential: 'session' | 'api_key' | null;
  /** The session's id or the key's id. */
  credentialId: string | null;
  requestId: string;
  address: string;
}

/** Who does something, as the audit log writes it down. */
export interface Actor {
  organizationId: number;
  /** null: the installation itself, or the command line. */
  userId: number | null;
  /** Absent: not in a request of theirs, as when a job runs for them. */
  origin?: Origin;
}
