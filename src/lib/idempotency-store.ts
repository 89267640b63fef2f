/** A request with a client's key, as hashes: neither the key nor the body is stored. */
export interface IdempotentRequest {
  /** Hash of caller, operation and key. */
  keyHash: string;
  bodyHash: string;
}

export interface StoredReply {
  status: number;
  body: string;
}

/** The first reply to a key, and the hash of the request body that it answered. */
export interface FirstReply {
  bodyHash: string;
  reply: StoredReply;
}

export interface IdempotencyStore {
  /**
   * Runs `work` unless the key has a reply from the last 24 hours, and commits the work's changes together with the reply. If the process
   * dies, neither is stored and the key is free at once. Returns null while a request with this key is running.
   */
  run(request: IdempotentRequest, work: () => Promise<StoredReply>): Promise<FirstReply | null>;
}
