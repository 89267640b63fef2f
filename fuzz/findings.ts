import type { Draft, Family } from './requests/draft.ts';

/** Something that must not be, and how to see it. */
export interface Finding {
  key: string;
  operationId: string;
  family: Family;
  what: string;
  /** The sender distinguishes findings. */
  request: string;
  curl: string;
  times: number;
}

/** Each kind of finding once, with how often it came. */
export class Findings {
  private readonly byKey = new Map<string, Finding>();

  /** Replaces numbers and quoted text, which differ between findings of the same kind. */
  static keyOf({ route }: Draft, what: string): string {
    return `${route.operationId}: ${what.replace(/: ".*$/, '').replace(/[0-9a-f]{8}-[0-9a-f-]+|\d+/g, '#')}`;
  }

  /** The finding when it is the first of its kind, else null. */
  add(draft: Draft, what: string): Finding | null {
    const key = Findings.keyOf(draft, what);
    const known = this.byKey.get(key);
    if (known !== undefined) {
      known.times += 1;
      return null;
    }
    const { route, family, sender } = draft;
    const request = `${draft.what}, by ${sender.name}`;
    const finding = { key, operationId: route.operationId, family, what, request, curl: '', times: 1 };
    this.byKey.set(key, finding);
    return finding;
  }

  /** What came of work that requests left behind. */
  addOfJobs(all: readonly string[]): void {
    for (const what of all) {
      const key = `jobs: ${what.replace(/\d+/g, '#')}`;
      this.byKey.set(key, {
        key,
        operationId: 'jobs',
        family: 'valid',
        what,
        request: 'what requests left on the queue',
        curl: '',
        times: (this.byKey.get(key)?.times ?? 0) + 1,
      });
    }
  }

  /** At an address that no route declares. */
  addOfPage(what: string, request: string, curl: string): void {
    const key = `page: ${what.replace(/\d+/g, '#')}`;
    const known = this.byKey.get(key);
    if (known !== undefined) known.times += 1;
    else this.byKey.set(key, { key, operationId: 'page', family: 'hostile', what, request, curl, times: 1 });
  }

  get all(): readonly Finding[] {
    return [...this.byKey.values()];
  }
}
