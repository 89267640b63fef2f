/** Where the first replies are kept for 24 hours. */
export interface IdempotencyStore {
  /** Takes the key for this request, or says what holds it. */
  begin(
    keyHash: string,
    bodyHash: string,
  ): Promise<'taken' | { bodyHash: string; reply: StoredReply | null }>;
  finish(keyHash: string, reply: StoredReply): Promise<void>;
  /** The request failed and changed nothing: a retry may try anew. */
  release(keyHash: string): Promise<void>;
}

export interface StoredReply {
  status: number;
  body: string;
}
