import { isFormulaText } from '../../../lib/formula-text.ts';
import { createImageFile } from './image-file.ts';
import { announce } from './announce.ts';
import { texts } from '../texts.ts';

const KINDS = [
  ['png', texts.downloads.png],
  ['svg', texts.downloads.svg],
  ['csv', texts.downloads.csv],
] as const;
type Kind = (typeof KINDS)[number][0];

const ICON =
  '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 3v9m-3.500-3.500L10 12l3.500-3.500M4 14v2h12v-2"/></svg>';

/** Adds a download menu to each chart. The files are created in the browser from what the page shows. */
export function addDownloads(within: ParentNode): void {
  for (const card of within.querySelectorAll<HTMLElement>('.card.chart')) {
    const foot = card.querySelector('.foot');
    if (foot === null || card.querySelector('.menu') !== null || card.querySelector('table.figures') === null)
      continue;
    foot.append(createMenu(card));
  }
}

function createMenu(card: HTMLElement): HTMLElement {
  const details = document.createElement('details');
  details.className = 'menu';
  const summary = document.createElement('summary');
  summary.title = texts.downloads.download;
  summary.innerHTML = ICON;
  const title = document.createElement('span');
  title.className = 'visually-hidden';
  title.textContent = texts.downloads.downloadOf(titleOf(card));
  summary.append(title);
  const list = document.createElement('div');
  const hasPicture = card.querySelector('.picture') !== null;
  for (const [kind, label] of KINDS) {
    if (kind !== 'csv' && !hasPicture) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', () => {
      details.open = false;
      summary.focus();
      void download(card, kind);
    });
    list.append(button);
  }
  details.append(summary, list);
  return details;
}

const titleOf = (card: HTMLElement) => card.querySelector('h3')?.textContent ?? texts.downloads.fileName;

async function download(card: HTMLElement, kind: Kind): Promise<void> {
  const blob =
    kind === 'csv' ? toCsv(card.querySelector('table.figures')!) : await createImageFile(card, kind);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${fileName(titleOf(card))}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  announce(texts.downloads.saved(titleOf(card), kind.toUpperCase()));
}

const fileName = (title: string) =>
  title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80) || texts.downloads.fileName;

/** Puts significance letters into separate columns, so that the value columns stay numeric. */
function toCsv(table: HTMLTableElement): Blob {
  const rows = [...table.rows].map((row) => [...row.cells]);
  const letterColumns = new Set(
    rows.flatMap((cells) => cells.flatMap((cell, index) => (lettersOf(cell) === '' ? [] : [index]))),
  );
  const lines = rows.map((cells, line) =>
    cells
      .flatMap((cell, index) => {
        const text = cellText(cell);
        if (!letterColumns.has(index)) return [text];
        return [
          text,
          escapeCsv(line === 0 ? texts.downloads.higherThan(cell.textContent.trim()) : lettersOf(cell)),
        ];
      })
      .join(','),
  );
  return new Blob(['\ufeff', lines.join('\r\n'), '\r\n'], { type: 'text/csv;charset=utf-8' });
}

const lettersOf = (cell: HTMLTableCellElement) => cell.querySelector('.letters')?.textContent ?? '';

function cellText(cell: HTMLTableCellElement): string {
  const { value } = cell.dataset;
  if (value !== undefined) return value;
  if (cell.querySelector('.visually-hidden') !== null) return '';
  const shown = cell.textContent.trim();
  // A base is formatted with thousands separators.
  if (cell.tagName === 'TD') return shown.replaceAll(',', '').replace('–', '');
  return escapeCsv(shown);
}

function escapeCsv(text: string): string {
  const safe = isFormulaText(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
