const NOTHING_YET = new Promise<never>(() => undefined);

/**
 * Texts that are costly to make, or their bytes as they are sent, by a key that says everything they depend on: they never become
 * wrong, only unwanted.
 */
export class KeptTexts<Text extends string | Buffer = string> {
  /** Or bytes. */
  private readonly maxCharacters: number;
  /** In the order of their last use. */
  private readonly kept = new Map<string, Text>();
  /** What somebody makes at this moment: whoever wants the same waits for it. */
  private readonly making = new Map<string, Promise<Text>>();
  private characters = 0;

  constructor(maxCharacters: number) {
    this.maxCharacters = maxCharacters;
  }

  async one(key: string, make: () => Promise<Text>): Promise<Text> {
    const kept = this.use(key);
    if (kept !== undefined) return kept;
    const [text] = await this.many([key], async () => [await make()]);
    return text!;
  }

  /** `make` gets the places of those keys that are neither kept nor being made, each key once, and gives their texts. */
  many(keys: readonly string[], make: (places: number[]) => Promise<Text[]>): Promise<Text[]> {
    const found = new Map<string, Promise<Text>>();
    const places: number[] = [];
    keys.forEach((key, place) => {
      if (found.has(key)) return;
      const kept = this.use(key);
      const known = kept === undefined ? this.making.get(key) : Promise.resolve(kept);
      if (known === undefined) places.push(place);
      // Whatever is still missing is filled in below, before anybody looks.
      found.set(key, known ?? NOTHING_YET);
    });
    if (places.length > 0) {
      const all = make(places);
      places.forEach((place, index) => {
        const key = keys[place]!;
        const one = all.then((texts) => this.keep(key, texts[index]!)).finally(() => this.making.delete(key));
        // Who waits for it hears of a failure; that nobody does is none.
        one.catch(() => undefined);
        this.making.set(key, one);
        found.set(key, one);
      });
    }
    return Promise.all(keys.map((key) => found.get(key)!));
  }

  private use(key: string): Text | undefined {
    const text = this.kept.get(key);
    if (text === undefined) return undefined;
    this.kept.delete(key);
    this.kept.set(key, text);
    return text;
  }

  private keep(key: string, text: Text): Text {
    if (!this.kept.has(key)) this.characters += key.length + text.length;
    this.kept.set(key, text);
    for (const [oldest, its] of this.kept) {
      if (this.characters <= this.maxCharacters) break;
      this.kept.delete(oldest);
      this.characters -= oldest.length + its.length;
    }
    return text;
  }
}
