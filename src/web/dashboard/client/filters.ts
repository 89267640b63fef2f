import { announce } from './announce.ts';
import { loadView } from './load-view.ts';

/** Boxes are often ticked one after the other. */
const SETTLES_AFTER_MS = 350;

/** Filters and pages: each choice is an address, so that going back works and a view can be sent. */
export function setUpFilters(): void {
  const form = document.querySelector<HTMLFormElement>('#filters');
  let settling = 0;
  form?.addEventListener('change', (event) => {
    const isBox = (event.target as HTMLInputElement).type === 'checkbox';
    updateSummaries(form);
    clearTimeout(settling);
    settling = setTimeout(() => void navigate(formAddress(form)), isBox ? SETTLES_AFTER_MS : 0);
  });
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(settling);
    void navigate(formAddress(form));
  });
  document.addEventListener('click', (event) => {
    const target = event.target as Element;
    closeOthers(target);
    const link = target.closest<HTMLAnchorElement>('a[data-stay]');
    if (link === null || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    const isPage = link.closest('nav') !== null;
    // Where elements of another page stand is in that page's own style.
    if (isPage) location.assign(link.href);
    else {
      clearTimeout(settling);
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
    // What was being chosen is given up: sent later, it would be one more step ahead of where one went back to.
    clearTimeout(settling);
    void restoreView(location.href);
  });
}

async function navigate(address: string): Promise<void> {
  history.pushState(null, '', address);
  await fetchFigures(address);
}

/** Not by the form: it is made to say what the address says. What was chosen in the form meanwhile is never taken back. */
async function restoreView(address: string): Promise<void> {
  fillForm(new URL(address).searchParams);
  await fetchFigures(address);
}

async function fetchFigures(address: string): Promise<void> {
  const outcome = await loadView(address);
  if (outcome === 'failed') {
    announce('The figures could not be fetched. What you see is as it was before.');
    return;
  }
  if (outcome !== 'shown') return;
  const base = document.querySelector('.base')?.textContent;
  announce(`Figures updated${base == null ? '' : `, ${base}`}`);
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
      labels.length === 0 ? 'All' : labels.length === 1 ? labels[0]! : `${labels.length} chosen`;
  }
}

function closeOthers(target: Element): void {
  for (const open of document.querySelectorAll<HTMLDetailsElement>('details.pick[open], details.menu[open]'))
    if (!open.contains(target)) open.open = false;
}
