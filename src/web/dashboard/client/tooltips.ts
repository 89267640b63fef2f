/** Shows the figures of the mark under the pointer, read from the chart's table. */
export function setUpTooltips(): void {
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
    const picture = (event.target as Element).closest?.<HTMLElement>('.picture');
    const mark = picture == null ? null : markAt(picture, event);
    if (picture == null || mark === null) {
      hide();
      return;
    }
    const frame = picture.closest<HTMLElement>('.pictures') ?? picture;
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
  const picture = mark.closest('.picture');
  if (table == null || picture === null || by === 'none') return null;
  const attribute = by === 'series' ? 'data-series' : 'data-index';
  const index = Number(mark.getAttribute(attribute));
  const marks = [...picture.querySelectorAll(`[data-index][${attribute}="${index}"]`)];
  const textOf = (cell: HTMLTableCellElement | undefined) => cell?.textContent.trim() ?? '';
  const names = [...(table.tHead?.rows[0]?.cells ?? [])].slice(1).map(textOf);
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  if (by === 'column') {
    const pairs = rows.map((row): Pair => [textOf(row.cells[0]), textOf(row.cells[index + 1]), false]);
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
      textOf(cell),
      hasSeveralSeries && by === 'index' && column === series,
    ]);
  return { content: [createTitle(textOf(row.cells[0])), createList(pairs)], marks };
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
