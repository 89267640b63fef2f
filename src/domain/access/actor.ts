/** Where somebody acts from. */
export interface Origin {
  credential: 'session' | 'api_key';
  /** The session's id or the key's id. */
  credentialId: string;
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
