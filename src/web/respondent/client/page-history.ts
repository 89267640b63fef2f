/** The part of the session that the history of the browser follows. */
export interface HistoryOwner {
  /** Keys of the screens that the respondent can go back to, and of the shown one as the last. */
  readonly visitedScreens: readonly string[];
  /** Whether questions are shown. */
  readonly isAnswering: boolean;
  showScreen(key: string): void;
  /** Submits the shown screen. */
  submitScreen(): void;
}

/** What an entry of the history stores. */
interface Entry {
  /** Key of the screen. */
  canvassPage: string;
  /** Number of entries of this survey before it. */
  depth: number;
}

function currentEntry(): Entry | null {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'canvassPage' in state ? (state as Entry) : null;
}

/** Makes the Back button of the browser show the previous page of the survey: each screen is an entry of the history, with the same address. */
export class PageHistory {
  private depth = 0;
  /** Between `back` and the event that follows it, so that a second click does not go back twice. */
  private isGoingBack = false;

  constructor(private readonly owner: HistoryOwner) {
    addEventListener('popstate', () => this.follow());
  }

  /** Writes an entry for the shown screen, and for those before it if a response is continued. */
  start(): void {
    const keys = this.owner.visitedScreens;
    const entry = currentEntry();
    if (entry === null) keys.forEach((key, depth) => this.write(key, depth, depth > 0));
    else this.write(keys.at(-1) ?? entry.canvassPage, entry.depth);
  }

  push(key: string): void {
    this.write(key, this.depth + 1, true);
  }

  /** Goes back in the history. Returns false if the previous screen is not in it. */
  back(): boolean {
    if (this.depth === 0) return false;
    if (!this.isGoingBack) history.back();
    this.isGoingBack = true;
    return true;
  }

  /** Lets the Back button leave a survey that is finished. */
  finish(): void {
    if (this.depth > 0) history.go(-this.depth);
  }

  private follow(): void {
    const entry = currentEntry();
    const { owner } = this;
    this.isGoingBack = false;
    if (entry === null) return;
    const isBack = entry.depth < this.depth;
    this.depth = entry.depth;
    if (!owner.isAnswering) return;
    if (isBack) {
      const before = owner.visitedScreens.slice(0, -1);
      // Logic may have removed the screen of the entry.
      const key = before.includes(entry.canvassPage) ? entry.canvassPage : before.at(-1);
      if (key !== undefined) owner.showScreen(key);
    } else owner.submitScreen();
    const shown = owner.visitedScreens.at(-1);
    if (shown !== undefined && shown !== entry.canvassPage) this.write(shown, entry.depth);
  }

  private write(canvassPage: string, depth: number, isNew = false): void {
    this.depth = depth;
    const entry: Entry = { canvassPage, depth };
    if (isNew) history.pushState(entry, '');
    else history.replaceState(entry, '');
  }
}
