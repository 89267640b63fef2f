import { ApiError } from '../../shared/client/api-error.ts';
import { callApi } from '../../shared/client/call-api.ts';
import { texts } from '../texts.ts';
import { announce } from './announce.ts';
import { addDownloads } from './downloads.ts';
import { loadView } from './load-view.ts';

/** People often select several checkboxes in a row, so the figures load after a pause. */
const DEBOUNCE_MS = 350;

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
    const open = (event.target as Element).closest?.<HTMLDetailsElement>(
      'details.pick[open], details.menu[open]',
    );
    if (open == null) return;
    open.open = false;
    open.querySelector('summary')!.focus();
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
    const labels = [...pick.querySelectorAll('input:checked')].map((box) =>
      box.parentElement!.textContent.trim(),
    );
    pick.querySelector('.chosen')!.textContent =
      labels.length === 0
        ? texts.filters.all
        : labels.length === 1
          ? labels[0]!
          : texts.filters.selected(labels.length);
  }
}

function closeOtherMenus(target: Element): void {
  for (const open of document.querySelectorAll<HTMLDetailsElement>('details.pick[open], details.menu[open]'))
    if (!open.contains(target)) open.open = false;
}

const AGE_INTERVAL_MS = 15_000;
/** Responses may arrive many times a second; a slower update keeps the page readable. */
const MIN_REFRESH_INTERVAL_MS = 3_000;

/** Updates the figures when responses arrive, and shows their age. A hidden page sends no requests. */
function keepFresh(): void {
  listenForChanges(document.body.dataset.events!);
  showAge();
  setInterval(showAge, AGE_INTERVAL_MS);
  addEventListener('beforeprint', () => showUpdateTime((moment) => moment.toLocaleString()));
  addEventListener('afterprint', showAge);
}

async function refresh(): Promise<void> {
  await loadView(location.href, { quietly: true });
  showAge();
}

/** Listens for change events of the server, and then loads the new figures, at most once per AT_MOST_EVERY_MS. */
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

/** Shows the figures of the mark under the pointer, read from the chart's table. */
function setUpTooltips(): void {
  const tip = document.createElement('div');
  tip.className = 'tip';
  // Screen readers use the table, which has the same figures.
  tip.setAttribute('aria-hidden', 'true');
  let highlighted: Element | null = null;

  const hide = () => {
    tip.remove();
    highlighted?.closest('.picture')?.classList.remove('looking');
    for (const mark of document.querySelectorAll('.looked-at')) mark.classList.remove('looked-at');
    highlighted = null;
  };
  const update = (event: PointerEvent) => {
    const picture = (event.target as Element).closest?.('.picture');
    const mark = picture == null ? null : markAt(picture, event);
    if (picture == null || mark === null) {
      hide();
      return;
    }
    const frame = picture.closest<HTMLElement>('.pictures')!;
    if (mark !== highlighted) {
      hide();
      const tooltip = tooltipContent(mark, frame);
      if (tooltip === null) return;
      highlighted = mark;
      picture.classList.add('looking');
      for (const one of tooltip.marks) one.classList.add('looked-at');
      tip.replaceChildren(...tooltip.content);
    }
    frame.append(tip);
    positionTooltip(tip, frame, event);
  };
  document.addEventListener('pointermove', update, { passive: true });
  document.addEventListener('pointerdown', update, { passive: true });
  document.addEventListener('pointerleave', hide);
  addEventListener('scroll', hide, { passive: true });
}

function markAt(picture: Element, { clientX, clientY, target }: PointerEvent): Element | null {
  const direct = (target as Element).closest('[data-index]');
  if (direct !== null) return direct;
  // Points of a line are small, so the nearest one is used.
  if (picture.closest('[data-nearest]') === null) return null;
  let best: Element | null = null;
  let bestDistance = 40;
  for (const mark of picture.querySelectorAll('[data-index]')) {
    const box = mark.getBoundingClientRect();
    const across = Math.abs(box.x + box.width / 2 - clientX);
    const distance = across + Math.abs(box.y + box.height / 2 - clientY) / 8;
    if (distance < bestDistance) [best, bestDistance] = [mark, distance];
  }
  return best;
}

interface TooltipContent {
  content: Node[];
  /** Marks of the same category or series. */
  marks: Element[];
}

function tooltipContent(mark: Element, frame: HTMLElement): TooltipContent | null {
  const by = frame.dataset.by;
  const table = frame.closest('.card')?.querySelector<HTMLTableElement>('table.figures');
  if (table == null || by === 'none') return null;
  const picture = mark.closest('.picture')!;
  const attribute = by === 'series' ? 'data-series' : 'data-index';
  const index = Number(mark.getAttribute(attribute));
  const marks = [...picture.querySelectorAll(`[data-index][${attribute}="${index}"]`)];
  const names = [...table.tHead!.rows[0]!.cells].slice(1).map((cell) => cell.textContent.trim());
  const rows = [...table.tBodies[0]!.rows];
  if (by === 'column') {
    const pairs = rows.map((row): Pair => [
      row.cells[0]!.textContent.trim(),
      row.cells[index + 1]?.textContent.trim() ?? '',
      false,
    ]);
    return { content: [createTitle(names[index] ?? ''), createList(pairs)], marks };
  }
  const row = rows[index];
  if (row === undefined) return null;
  const series = Number(mark.getAttribute('data-series'));
  const hasSeveralSeries =
    new Set([...picture.querySelectorAll('[data-index]')].map((one) => one.getAttribute('data-series')))
      .size > 1;
  const pairs = [...row.cells]
    .slice(1)
    .map((cell, column): Pair => [
      names[column] ?? '',
      cell.textContent.trim(),
      hasSeveralSeries && by === 'index' && column === series,
    ]);
  return { content: [createTitle(row.cells[0]!.textContent.trim()), createList(pairs)], marks };
}

type Pair = [name: string, value: string, isThis: boolean];

function createTitle(text: string): Node {
  const strong = document.createElement('strong');
  strong.textContent = text;
  return strong;
}

function createList(pairs: readonly Pair[]): Node {
  const list = document.createElement('dl');
  for (const [name, value, isThis] of pairs)
    for (const [tag, text] of [
      ['dt', name],
      ['dd', value],
    ] as const) {
      const item = document.createElement(tag);
      item.textContent = text;
      item.classList.toggle('this', isThis);
      list.append(item);
    }
  return list;
}

const OFFSET_PX = 14;

/** Places the tooltip next to the pointer, inside the window. The content security policy forbids style attributes but not style properties. */
function positionTooltip(tip: HTMLElement, frame: HTMLElement, { clientX, clientY }: PointerEvent): void {
  const around = frame.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const x =
    clientX + OFFSET_PX + width > document.documentElement.clientWidth
      ? clientX - OFFSET_PX - width
      : clientX + OFFSET_PX;
  const y = Math.max(8, clientY - height - OFFSET_PX);
  tip.style.transform = `translate(${Math.max(8, x) - around.x}px, ${y - around.y}px)`;
}

document.documentElement.classList.add('script');
const accessForm = document.querySelector<HTMLFormElement>('form.enter');
if (accessForm !== null) setUpAccessForm(accessForm);
else if (document.body.dataset.version !== undefined) {
  addDownloads(document);
  setUpFilters();
  setUpTooltips();
  keepFresh();
}

/** Sends the password or sign-in form to the API as JSON, and reloads the page when the API accepts it. */
function setUpAccessForm(form: HTMLFormElement): void {
  const problem = form.querySelector<HTMLElement>('#problem')!;
  const button = form.querySelector('button')!;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submitForm();
  });

  async function submitForm(): Promise<void> {
    button.disabled = true;
    problem.hidden = true;
    try {
      await callApi('POST', form.dataset.post!, Object.fromEntries(new FormData(form)));
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
  }
}

function errorMessage({ status, code, message }: ApiError): string {
  if (status === 429) return texts.form.tooManyTries;
  if (code === 'wrong_password') return texts.form.wrongPassword;
  return message === '' ? texts.form.unreachable : message;
}
