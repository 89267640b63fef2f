import type { QualitySettings } from '../survey/settings/quality-settings.ts';
import type { QualityFlag } from './quality-flag.ts';
import { foldText, textWeight } from './text-shape.ts';

/**
 * Finds texts that many respondents gave verbatim to the same question. Ignores short texts: many respondents genuinely answer
 * "none" or "too expensive".
 */
export class SharedTexts {
  private readonly counts = new Map<number, number>();
  private answers = 0;

  constructor(
    private readonly columnCode: string,
    private readonly settings: QualitySettings['open_end'],
  ) {}

  add(text: string): void {
    this.answers++;
    const hash = this.hashOf(text);
    if (hash !== null) this.counts.set(hash, (this.counts.get(hash) ?? 0) + 1);
  }

  /** Call after adding all texts. Keeps only texts shared by too many respondents. */
  finish(): void {
    const { min_shared: minShared, max_shared_share: share } = this.settings;
    for (const [hash, count] of this.counts) {
      if (count < minShared || count <= share * this.answers) this.counts.delete(hash);
    }
  }

  createFlag(text: string): QualityFlag | null {
    const hash = this.counts.size === 0 ? null : this.hashOf(text);
    const count = hash === null ? undefined : this.counts.get(hash);
    if (count === undefined) return null;
    return {
      check: 'open_end',
      severity: 'medium',
      metric: 'shared_share',
      value: count / this.answers,
      threshold: this.settings.max_shared_share,
      column_codes: [this.columnCode],
      measures: { respondents: count },
    };
  }

  /** Returns null for a text that is too short to check. */
  private hashOf(text: string): number | null {
    if (text.length * 3 < this.settings.shared_min_length) return null;
    return textWeight(text) < this.settings.shared_min_length ? null : textHash(foldText(text));
  }
}

/** A 53-bit hash (cyrb53 by bryc, public domain). Two of a million texts collide once in 18,000 runs. */
function textHash(text: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
