const EMPTY = new Promise<never>(() => undefined);

/**
 * A cache of texts or bytes that are expensive to create. Keys contain everything that a text depends on, so entries never become stale.
 */
export class TextCache<Text extends string | Buffer = string> {
  /** Length in characters or bytes. */
  private readonly maxCharacters: number;
  /** Least recently used first. */
  private readonly entries = new Map<string, Text>();
  /** Texts that are being created. Other callers wait for the same promise. */
  private readonly pending = new Map<string, Promise<Text>>();
  private characters = 0;

  constructor(maxCharacters: number) {
    this.maxCharacters = maxCharacters;
  }

  async getOrCreate(key: string, make: () => Promise<Text>): Promise<Text> {
    const kept = this.use(key);
    if (kept !== undefined) return kept;
    const [text] = await this.getOrCreateMany([key], async () => [await make()]);
    return text!;
  }

  /** `make` gets the indexes of the keys that are neither cached nor being created, each key once, and returns their texts. */
  getOrCreateMany(keys: readonly string[], make: (places: number[]) => Promise<Text[]>): Promise<Text[]> {
    const found = new Map<string, Promise<Text>>();
    const places: number[] = [];
    keys.forEach((key, place) => {
      if (found.has(key)) return;
      const kept = this.use(key);
      const known = kept === undefined ? this.pending.get(key) : Promise.resolve(kept);
      if (known === undefined) places.push(place);
      // Missing entries are filled in below, before the result is returned.
      found.set(key, known ?? EMPTY);
    });
    if (places.length > 0) {
      const all = make(places);
      places.forEach((place, index) => {
        const key = keys[place]!;
        const one = all
          .then((texts) => this.store(key, texts[index]!))
          .finally(() => this.pending.delete(key));
        // Waiting callers get the error. Without callers it must not become an unhandled rejection.
        one.catch(() => undefined);
        this.pending.set(key, one);
        found.set(key, one);
      });
    }
    return Promise.all(keys.map((key) => found.get(key)!));
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
    for (const [oldest, its] of this.entries) {
      if (this.characters <= this.maxCharacters) break;
      this.entries.delete(oldest);
      this.characters -= oldest.length + its.length;
    }
    return text;
  }
}
