/** One use of a client's key, as hashes: neither key nor body is stored. */
export interface IdempotentRequest {
  /** Of caller, operation and key. */
  keyHash: string;
  bodyHash: string;
}

export interface StoredReply {
  status: number;
  body: string;
}

/** The first reply to a key, and what it was a reply to. */
export interface FirstReply {
  bodyHash: string;
  reply: StoredReply;
}

export interface IdempotencyStore {
  /**
   * Runs `work` unless the key has a reply of the last 24 hours, and commits what it writes together with its reply. A process that
   * dies leaves neither, so the key is free at once. null: a request with this key is running.
   */
  run(request: IdempotentRequest, work: () => Promise<StoredReply>): Promise<FirstReply | null>;
}
