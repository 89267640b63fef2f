import { announce } from './announce.ts';
import { loadView } from './load-view.ts';
import { texts } from '../texts.ts';

/** People often select several checkboxes in a row, so the figures load after a pause. */
const DEBOUNCE_MS = 350;

/** Handles filters and pages. Each selection changes the address, so the back button works and a view can be shared. */
export function setUpFilters(): void {
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
