import { ApiError, callApi } from '../../shared/client/api.ts';
import { texts } from '../texts.ts';
import { addDownloads, announce } from './downloads.ts';
import { setUpTooltips } from './tooltips.ts';

/** People often select several checkboxes in a row, so the figures load after a pause. */
const DEBOUNCE_MS = 350;

const OPEN_MENUS = 'details:is(.pick, .menu, .top-menu)[open]';

/** Handles filters and pages. Each selection changes the address, so the back button works and a view can be shared. */
function setUpFilters(): void {
  const form = document.querySelector<HTMLFormElement>('#filters');
  let debounceTimer = 0;
  form?.addEventListener('change', (event) => {
    const isBox = (event.target as HTMLInputElement).type === 'checkbox';
    updateSummaries(form);
    clearTimeout(debounceTimer);
    debounceTimer = setTimeout(() => void navigate(formAddress(form)), isBox ? DEBOUNCE_MS : 0);
  });
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(debounceTimer);
    void navigate(formAddress(form));
  });
  document.addEventListener('click', (event) => {
    const target = event.target as Element;
    closeOtherMenus(target);
    const link = target.closest<HTMLAnchorElement>('a[data-stay]');
    if (link === null || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const isPage = link.closest('nav') !== null;
    // The layout of another page is in that page's inline style, so it is loaded as a whole.
    if (isPage) location.assign(link.href);
    else {
      clearTimeout(debounceTimer);
      history.pushState(null, '', link.href);
      void restoreView(link.href);
    }
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    const open = (event.target as Element).closest?.<HTMLDetailsElement>(OPEN_MENUS);
    if (open == null) return;
    open.open = false;
    open.querySelector('summary')?.focus();
  });
  addEventListener('popstate', () => {
    // Drops a pending selection: applied later, it would add a history entry after the one that was restored.
    clearTimeout(debounceTimer);
    void restoreView(location.href);
  });
}

async function navigate(address: string): Promise<void> {
  history.pushState(null, '', address);
  await fetchFigures(address);
}

/** Shows the view of an address and sets the form to match it. */
async function restoreView(address: string): Promise<void> {
  fillForm(new URL(address).searchParams);
  await fetchFigures(address);
}

async function fetchFigures(address: string): Promise<void> {
  const outcome = await loadView(address);
  if (outcome === 'failed') {
    announce(texts.filters.failed);
    return;
  }
  if (outcome !== 'shown') return;
  const base = document.querySelector('.base')?.textContent;
  announce(texts.filters.updated(base ?? null));
}

function formAddress(form: HTMLFormElement): string {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') query.append(name, value);
  const text = query.toString();
  return location.origin + location.pathname + (text === '' ? '' : `?${text}`);
}

function fillForm(query: URLSearchParams): void {
  const form = document.querySelector<HTMLFormElement>('#filters');
  if (form === null) return;
  for (const select of form.querySelectorAll('select')) select.value = query.get(select.name) ?? '';
  for (const box of form.querySelectorAll<HTMLInputElement>('input[type=checkbox]'))
    box.checked = query.getAll(box.name).includes(box.value);
  updateSummaries(form);
}

function updateSummaries(form: HTMLFormElement): void {
  for (const pick of form.querySelectorAll<HTMLElement>('details.pick')) {
    const labels = [...pick.querySelectorAll('input:checked')].map(
      (box) => box.closest('label')?.textContent.trim() ?? '',
    );
    const [first = texts.filters.all, ...others] = labels;
    const summary = others.length === 0 ? first : texts.filters.selected(labels.length);
    pick.querySelector('.chosen')?.replaceChildren(summary);
  }
}

function closeOtherMenus(target: Element): void {
  for (const open of document.querySelectorAll<HTMLDetailsElement>(OPEN_MENUS))
    if (!open.contains(target)) open.open = false;
}

/** Opens the search of the studio with its shortcut, where the top bar has it. */
function setUpSearch(): void {
  const link = document.querySelector<HTMLAnchorElement>('a.search-button');
  if (link === null) return;
  addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    link.click();
  });
}

/** Ends the session of a member, where the top bar has its menu. */
function setUpSignOut(): void {
  document.querySelector('[data-sign-out]')?.addEventListener('click', () => {
    // Without a connection the session ends on its own; the page is left in any case.
    void callApi('POST', '/api/auth', { body: { action: 'logout' } })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
      })
      .finally(() => location.assign('/'));
  });
}

let currentRequest: AbortController | null = null;
let etag = '';

/** `same`: no change. `outdated`: a newer request replaced this one. `gone`: access has ended, and the page reloads to explain why. */
type Outcome = 'shown' | 'same' | 'outdated' | 'failed' | 'gone';

/** Fetches the page of an address and shows its figures. A newer request aborts an older one. */
async function loadView(address: string, { quietly = false } = {}): Promise<Outcome> {
  if (quietly && currentRequest !== null) return 'failed';
  currentRequest?.abort();
  const controller = new AbortController();
  currentRequest = controller;
  const main = document.getElementById('content');
  if (!quietly) main?.setAttribute('aria-busy', 'true');
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
      main?.removeAttribute('aria-busy');
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
  for (const selector of ['#content', 'nav.tabs']) {
    const newer = page.querySelector(selector);
    if (newer !== null) document.querySelector(selector)?.replaceWith(newer);
  }
  addDownloads(document);
  const sameLink = [...document.querySelectorAll<HTMLElement>('a[data-stay]')].find(
    (link) => link.textContent === focusedText,
  );
  if (focusedText != null) (sameLink ?? document.getElementById('content'))?.focus();
}

const styleOf = (page: Document) => page.querySelector('style')?.textContent;

function replaceUpdateTime(page: Document): void {
  const time = document.querySelector<HTMLTimeElement>('.fresh time');
  const newer = page.querySelector<HTMLTimeElement>('.fresh time');
  if (time !== null && newer !== null) time.dateTime = newer.dateTime;
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

const AGE_INTERVAL_MS = 15_000;
/** Responses may arrive many times a second; a slower update keeps the page readable. */
const MIN_REFRESH_INTERVAL_MS = 3_000;

/** Updates the figures when responses arrive, and shows their age. A hidden page sends no requests. */
function keepFresh(): void {
  const { events } = document.body.dataset;
  if (events !== undefined) listenForChanges(events);
  showAge();
  setInterval(showAge, AGE_INTERVAL_MS);
  addEventListener('beforeprint', () => showUpdateTime((moment) => moment.toLocaleString()));
  addEventListener('afterprint', showAge);
}

async function refresh(): Promise<void> {
  await loadView(location.href, { quietly: true });
  showAge();
}

/** Listens for change events of the server, and then loads the new figures, at most once per MIN_REFRESH_INTERVAL_MS. */
function listenForChanges(path: string): void {
  let source: EventSource | null = null;
  let refreshTimer = 0;
  let lastRefreshMs = 0;
  const scheduleRefresh = () => {
    if (refreshTimer !== 0) return;
    refreshTimer = setTimeout(
      () => {
        refreshTimer = 0;
        lastRefreshMs = Date.now();
        void refresh();
      },
      Math.max(0, lastRefreshMs + MIN_REFRESH_INTERVAL_MS - Date.now()),
    );
  };
  const connect = () => {
    if (document.hidden) {
      source?.close();
      source = null;
      return;
    }
    if (source !== null) return;
    source = new EventSource(path);
    source.addEventListener('open', () => document.querySelector('.fresh')?.classList.add('live'));
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const { version } = JSON.parse(data) as { version?: string };
      if (version !== undefined && version !== document.body.dataset.version) scheduleRefresh();
      showAge();
    });
    source.addEventListener('error', (event) => {
      document.querySelector('.fresh')?.classList.remove('live');
      // The server sends an error event when access ends; the reloaded page explains why.
      if (event instanceof MessageEvent) location.reload();
    });
  };
  document.addEventListener('visibilitychange', connect);
  connect();
}

const showAge = (): void =>
  showUpdateTime((moment) => formatAge(Math.max(0, (Date.now() - moment.getTime()) / 1000)));

function showUpdateTime(format: (date: Date) => string): void {
  const time = document.querySelector<HTMLTimeElement>('.fresh time');
  if (time === null) return;
  const date = new Date(time.dateTime);
  time.title = date.toLocaleString();
  time.textContent = format(date);
}

function formatAge(seconds: number): string {
  if (seconds < 60) return texts.age.justNow;
  const relativeTime = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  if (seconds < 3_600) return relativeTime.format(-Math.round(seconds / 60), 'minute');
  return seconds < 86_400
    ? relativeTime.format(-Math.round(seconds / 3_600), 'hour')
    : relativeTime.format(-Math.round(seconds / 86_400), 'day');
}

document.documentElement.classList.add('script');
const accessForm = document.querySelector<HTMLFormElement>('form[data-post]');
if (accessForm !== null) setUpAccessForm(accessForm);
else if (document.body.dataset.version !== undefined) {
  addDownloads(document);
  setUpFilters();
  setUpTooltips();
  setUpSearch();
  setUpSignOut();
  keepFresh();
}

/** Sends the password or sign-in form to the API as JSON, and reloads the page when the API accepts it. */
function setUpAccessForm(form: HTMLFormElement): void {
  const problem = form.querySelector<HTMLElement>('#problem');
  const button = form.querySelector('button');
  if (problem === null || button === null) return;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submitForm();
  });

  const submitForm = async (): Promise<void> => {
    button.disabled = true;
    problem.hidden = true;
    try {
      await callApi('POST', form.dataset.post ?? '', { body: Object.fromEntries(new FormData(form)) });
      location.reload();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problem.textContent = errorMessage(error);
      problem.hidden = false;
      button.disabled = false;
      const password = form.querySelector<HTMLInputElement>('#password');
      password?.setAttribute('aria-invalid', 'true');
      password?.select();
    }
  };
}

function errorMessage({ status, code, message }: ApiError): string {
  if (status === 429) return texts.form.tooManyTries;
  if (code === 'wrong_password') return texts.form.wrongPassword;
  return message === '' ? texts.form.unreachable : message;
}
