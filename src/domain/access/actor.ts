/** The credential and the request of an action. */
export interface Origin {
  /** null: a link sent by email. */
  credential: 'session' | 'api_key' | null;
  /** The session's id or the key's id. */
  credentialId: string | null;
  requestId: string;
  address: string;
}

/** The user who performs an action, as recorded in the audit log. */
export interface Actor {
  organizationId: number;
  /** null: the installation itself, or the command line. */
  userId: number | null;
  /** Absent outside a request of the user, for example in a background job. */
  origin?: Origin;
}
