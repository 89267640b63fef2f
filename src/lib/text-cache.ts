const EMPTY = new Promise<never>(() => undefined);

function noText(): never {
  throw new Error('the cache got no text');
}

/**
 * A cache of texts or bytes that are expensive to create. Keys contain everything that a text depends on, so entries never become stale.
 */
export class TextCache<Text extends string | Buffer = string> {
  /** Least recently used first. */
  private readonly entries = new Map<string, Text>();
  /** Texts that are being created. Other callers wait for the same promise. */
  private readonly pending = new Map<string, Promise<Text>>();
  private characters = 0;

  constructor(/** Length in characters or bytes. */ private readonly maxCharacters: number) {}

  async getOrCreate(key: string, create: () => Promise<Text>): Promise<Text> {
    const cached = this.use(key);
    if (cached !== undefined) return cached;
    const [text] = await this.getOrCreateMany([key], async () => [await create()]);
    return text ?? noText();
  }

  /** `create` gets the indexes of the keys that are neither cached nor being created, each key once, and returns their texts. */
  getOrCreateMany(keys: readonly string[], create: (missing: number[]) => Promise<Text[]>): Promise<Text[]> {
    const found = new Map<string, Promise<Text>>();
    const missing: number[] = [];
    keys.forEach((key, index) => {
      if (found.has(key)) return;
      const cached = this.use(key);
      const pending = cached === undefined ? this.pending.get(key) : Promise.resolve(cached);
      if (pending === undefined) missing.push(index);
      // Missing entries are filled in below, before the result is returned.
      found.set(key, pending ?? EMPTY);
    });
    if (missing.length > 0) {
      const created = create(missing);
      missing.forEach((keyIndex, index) => {
        const key = keys[keyIndex];
        if (key === undefined) return;
        const text = created
          .then((texts) => this.store(key, texts[index] ?? noText()))
          .finally(() => this.pending.delete(key));
        // Waiting callers get the error. Without callers it must not become an unhandled rejection.
        text.catch(() => undefined);
        this.pending.set(key, text);
        found.set(key, text);
      });
    }
    return Promise.all(keys.map((key) => found.get(key) ?? noText()));
  }

  private use(key: string): Text | undefined {
    const text = this.entries.get(key);
    if (text === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, text);
    return text;
  }

  private store(key: string, text: Text): Text {
    if (!this.entries.has(key)) this.characters += key.length + text.length;
    this.entries.set(key, text);
    for (const [oldest, itsText] of this.entries) {
      if (this.characters <= this.maxCharacters) break;
      this.entries.delete(oldest);
      this.characters -= oldest.length + itsText.length;
    }
    return text;
  }
}
