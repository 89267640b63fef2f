/** The part of the session that the history of the browser follows. */
export interface HistoryOwner {
  /** Ids of the pages that the respondent can go back to, and of the shown page as the last. */
  readonly visitedPageIds: readonly number[];
  /** Whether a page of questions is shown. */
  readonly isAnswering: boolean;
  showPage(pageId: number): void;
  /** Submits the shown page. */
  submitPage(): void;
}

/** What an entry of the history stores. */
interface Entry {
  canvassPage: number;
  /** Number of entries of this survey before it. */
  depth: number;
}

function currentEntry(): Entry | null {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'canvassPage' in state ? (state as Entry) : null;
}

/** Makes the Back button of the browser show the previous page of the survey: each page is an entry of the history, with the same address. */
export class PageHistory {
  private depth = 0;
  /** Between `back` and the event that follows it, so that a second click does not go back twice. */
  private isGoingBack = false;

  constructor(private readonly owner: HistoryOwner) {
    addEventListener('popstate', () => this.follow());
  }

  /** Writes an entry for the shown page, and for the pages before it if a response is continued. */
  start(): void {
    const pageIds = this.owner.visitedPageIds;
    const entry = currentEntry();
    if (entry === null) pageIds.forEach((pageId, depth) => this.write(pageId, depth, depth > 0));
    else this.write(pageIds.at(-1) ?? entry.canvassPage, entry.depth);
  }

  push(pageId: number): void {
    this.write(pageId, this.depth + 1, true);
  }

  /** Goes back in the history. Returns false if the previous page is not in it. */
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
      const before = owner.visitedPageIds.slice(0, -1);
      // Logic may have removed the page of the entry.
      const pageId = before.includes(entry.canvassPage) ? entry.canvassPage : before.at(-1);
      if (pageId !== undefined) owner.showPage(pageId);
    } else owner.submitPage();
    const shown = owner.visitedPageIds.at(-1);
    if (shown !== undefined && shown !== entry.canvassPage) this.write(shown, entry.depth);
  }

  private write(canvassPage: number, depth: number, isNew = false): void {
    this.depth = depth;
    const entry: Entry = { canvassPage, depth };
    if (isNew) history.pushState(entry, '');
    else history.replaceState(entry, '');
  }
}
