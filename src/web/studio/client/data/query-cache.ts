/** What is known of one address of the API. The previous data stay while they are reloaded and when reloading fails. */
export interface QueryState {
  data: unknown;
  /** Error of the last request; null after a success. */
  error: Error | null;
  isLoading: boolean;
}

interface Entry {
  state: QueryState;
  listeners: Set<() => void>;
  /** The request whose reply counts. A reload or a write replaces it. */
  request: symbol | null;
  /** Whether the data have to be requested again before they are shown the next time. */
  isStale: boolean;
  /** Time of the last reply, in milliseconds. */
  loadedAt: number;
}

const EMPTY_STATE: QueryState = { data: undefined, error: null, isLoading: false };
const MAX_UNUSED = 100;
/** Older data are requested again when a page shows them for the first time or again: respondents and other authors change them. */
const MAX_AGE_MS = 2_000;

/** Replies of GET requests by address. All parts of the studio that show the same data share one entry. */
export class QueryCache {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly fetchData: (address: string) => Promise<unknown>) {}

  read(address: string): QueryState {
    return this.entries.get(address)?.state ?? EMPTY_STATE;
  }

  /** Loads the data unless they are recent, and calls the listener after every change. Returns a function that unsubscribes. */
  subscribe(address: string, listener: () => void): () => void {
    const entry = this.entryOf(address);
    if (entry.listeners.size === 0 && Date.now() - entry.loadedAt > MAX_AGE_MS) entry.isStale = true;
    entry.listeners.add(listener);
    if (entry.isStale && entry.request === null) void this.load(address);
    return () => {
      entry.listeners.delete(listener);
      this.evictUnused();
    };
  }

  /** Requests the data, even if they are known. Resolves after the reply, whether it succeeds or not. */
  async load(address: string): Promise<void> {
    const entry = this.entryOf(address);
    const request = Symbol(address);
    entry.request = request;
    this.change(entry, { isLoading: true });
    try {
      const data = await this.fetchData(address);
      if (entry.request === request) this.write(address, data);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (entry.request !== request) return;
      entry.request = null;
      this.change(entry, { error, isLoading: false });
    }
  }

  /** Replaces the data, such as by the reply to a change. A running request for them no longer counts. */
  write(address: string, data: unknown): void {
    const entry = this.entryOf(address);
    entry.request = null;
    entry.isStale = false;
    entry.loadedAt = Date.now();
    this.change(entry, { data, error: null, isLoading: false });
  }

  /** Reloads what is shown of the addresses that start with one of the prefixes. The rest is requested when it is shown. */
  async reload(...prefixes: readonly string[]): Promise<void> {
    const outdated = [...this.entries].filter(([address]) =>
      prefixes.some((prefix) => isBelow(address, prefix)),
    );
    await Promise.all(
      outdated.map(async ([address, entry]) => {
        entry.isStale = true;
        // A reply to a request from before the change would be outdated.
        entry.request = null;
        if (entry.listeners.size > 0) await this.load(address);
      }),
    );
  }

  /** Forgets everything, for the next user. */
  clear(): void {
    for (const entry of this.entries.values()) entry.request = null;
    this.entries.clear();
  }

  private entryOf(address: string): Entry {
    const found = this.entries.get(address);
    if (found !== undefined) return found;
    const entry: Entry = {
      state: EMPTY_STATE,
      listeners: new Set(),
      request: null,
      isStale: true,
      loadedAt: 0,
    };
    this.entries.set(address, entry);
    return entry;
  }

  private change(entry: Entry, changes: Partial<QueryState>): void {
    entry.state = { ...entry.state, ...changes };
    for (const listener of [...entry.listeners]) listener();
  }

  private evictUnused(): void {
    const unused = [...this.entries].filter(([, { listeners }]) => listeners.size === 0);
    for (const [address] of unused.slice(0, Math.max(0, unused.length - MAX_UNUSED)))
      this.entries.delete(address);
  }
}

/** `/api/surveys` includes `/api/surveys?search=a` and `/api/surveys/1`, but not `/api/surveys-other`. */
const isBelow = (address: string, prefix: string): boolean =>
  address.startsWith(prefix) && ['', '?', '/', '&'].includes(address.charAt(prefix.length));
