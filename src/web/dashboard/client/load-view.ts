import { addDownloads } from './downloads.ts';

let currentRequest: AbortController | null = null;
let etag = '';

/** `same`: no change. `outdated`: a newer request replaced this one. `gone`: access has ended, and the page reloads to explain why. */
export type Outcome = 'shown' | 'same' | 'outdated' | 'failed' | 'gone';

/** Fetches the page of an address and shows its figures. A newer request aborts an older one. */
export async function loadView(address: string, { quietly = false } = {}): Promise<Outcome> {
  if (quietly && currentRequest !== null) return 'failed';
  currentRequest?.abort();
  const controller = new AbortController();
  currentRequest = controller;
  const main = document.getElementById('content')!;
  if (!quietly) main.setAttribute('aria-busy', 'true');
  try {
    const reply = await fetch(address, {
      signal: controller.signal,
      cache: 'no-store',
      headers: quietly && etag !== '' ? { 'If-None-Match': etag } : {},
    });
    if (reply.status === 304) return 'same';
    if (reply.status === 401 || reply.status === 404) {
      location.reload();
      return 'gone';
    }
    if (!reply.ok) return 'failed';
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    if (controller.signal.aborted) return 'outdated';
    etag = reply.headers.get('ETag') ?? '';
    if (page.body.dataset.version === undefined) return 'failed';
    replacePage(page, quietly);
    return 'shown';
  } catch {
    return controller.signal.aborted ? 'outdated' : 'failed';
  } finally {
    if (currentRequest === controller) {
      currentRequest = null;
      main.removeAttribute('aria-busy');
    }
  }
}

function replacePage(page: Document, quietly: boolean): void {
  // The layout is in the inline style, which the content security policy binds to the page: a new layout needs a reload.
  if (styleOf(page) !== styleOf(document)) {
    location.reload();
    return;
  }
  document.title = page.title;
  document.body.dataset.version = page.body.dataset.version;
  replaceUpdateTime(page);
  if (quietly) {
    replaceCards(page);
    return;
  }
  const focusedText = document.activeElement?.closest('a[data-stay]')?.textContent;
  // Replaces only what differs between two views; the filter form keeps its state.
  document.getElementById('content')!.replaceWith(page.getElementById('content')!);
  replaceNavigation(page);
  addDownloads(document);
  const sameLink = [...document.querySelectorAll<HTMLElement>('a[data-stay]')].find(
    (link) => link.textContent === focusedText,
  );
  if (focusedText != null) (sameLink ?? document.getElementById('content')!).focus();
}

const styleOf = (page: Document) => page.querySelector('style')?.textContent;

function replaceNavigation(page: Document): void {
  document.querySelector('nav')?.replaceWith(page.querySelector('nav')!);
}

function replaceUpdateTime(page: Document): void {
  const time = document.querySelector('.fresh time');
  const newer = page.querySelector('.fresh time');
  if (time !== null && newer !== null) time.setAttribute('datetime', newer.getAttribute('datetime')!);
}

/** Replaces cards whose figures changed, except one that has the focus. An open table stays open. */
function replaceCards(page: Document): void {
  for (const card of document.querySelectorAll<HTMLElement>('.grid > [id]')) {
    const newer = page.getElementById(card.id);
    if (newer === null) continue;
    const tables = [card, newer].map((one) => one.querySelector('.as-table'));
    if (tables[0]?.hasAttribute('open')) tables[1]?.setAttribute('open', '');
    const hadFocus = card.contains(document.activeElement);
    if (hadFocus || cardContent(card) === cardContent(newer)) continue;
    card.replaceWith(newer);
  }
  addDownloads(document);
}

function cardContent(card: HTMLElement): string {
  const copy = card.cloneNode(true) as HTMLElement;
  for (const added of copy.querySelectorAll('.menu, .tip')) added.remove();
  for (const mark of copy.querySelectorAll('[class]')) mark.classList.remove('looking', 'looked-at');
  return copy.textContent + [...copy.querySelectorAll('path')].map((path) => path.getAttribute('d')).join();
}
