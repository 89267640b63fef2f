const EMPTY = new Promise<never>(() => undefined);

/**
 * Texts that are costly to make, or their bytes as they are sent, by a key that says everything they depend on: they never become
 * wrong, only unwanted.
 */
export class TextCache<Text extends string | Buffer = string> {
  /** Or bytes. */
  private readonly maxCharacters: number;
  /** In the order of their last use. */
  private readonly entries = new Map<string, Text>();
  /** What somebody makes at this moment: whoever wants the same waits for it. */
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

  /** `make` gets the places of those keys that are neither kept nor being made, each key once, and gives their texts. */
  getOrCreateMany(keys: readonly string[], make: (places: number[]) => Promise<Text[]>): Promise<Text[]> {
    const found = new Map<string, Promise<Text>>();
    const places: number[] = [];
    keys.forEach((key, place) => {
      if (found.has(key)) return;
      const kept = this.use(key);
      const known = kept === undefined ? this.pending.get(key) : Promise.resolve(kept);
      if (known === undefined) places.push(place);
      // Whatever is still missing is filled in below, before anybody looks.
      found.set(key, known ?? EMPTY);
    });
    if (places.length > 0) {
      const all = make(places);
      places.forEach((place, index) => {
        const key = keys[place]!;
        const one = all
          .then((texts) => this.store(key, texts[index]!))
          .finally(() => this.pending.delete(key));
        // Who waits for it hears of a failure; that nobody does is none.
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
