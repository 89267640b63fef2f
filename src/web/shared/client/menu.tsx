import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { followLink } from './navigation.tsx';

export interface MenuItem {
  label: ComponentChildren;
  /** Another page of the same application. */
  path?: string;
  run?: () => void;
  danger?: boolean;
  /** For a choice of one item: whether it is the chosen one. */
  checked?: boolean;
}

/** Distance of a list from the edges of the window. */
const EDGE_PX = 8;
/** A lower list would show too few of its items. */
const LEAST_HEIGHT_PX = 160;
const UNCHANGED = { shiftPx: 0, maxHeightPx: null };

/** Height of the top bar, which covers what scrolls below it. */
const TOP_BAR_PX = 64;

/** A button that opens a list of actions, links or choices. Arrow keys move, Escape and a click outside close. */
export function Menu({
  label,
  button,
  buttonClass = 'icon-button',
  head,
  items,
  align = 'end',
}: {
  /** Name of the button for screen readers. */
  label: string;
  /** Content of the button. */
  button: ComponentChildren;
  buttonClass?: string;
  /** Text above the items. */
  head?: ComponentChildren;
  items: readonly MenuItem[];
  align?: 'start' | 'end';
}) {
  const [isOpen, setIsOpen] = useState(false);
  /** Whether the list is above the button, because there is no room below. */
  const [isAbove, setIsAbove] = useState(false);
  /** Keeps the list in the window: moved sideways, and scrolled where it is higher than the room below. */
  const [fit, setFit] = useState<{ shiftPx: number; maxHeightPx: number | null }>(UNCHANGED);
  const root = useRef<HTMLDivElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const itemElements = () => [...(root.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  const close = () => {
    setIsOpen(false);
    opener.current?.focus();
  };

  useLayoutEffect(() => {
    const box = popup.current?.getBoundingClientRect();
    const above = opener.current?.getBoundingClientRect().top ?? 0;
    const isCutOff = box !== undefined && box.bottom > innerHeight;
    const fitsAbove = isCutOff && box.height + TOP_BAR_PX < above;
    setIsAbove(fitsAbove);
    if (box === undefined) {
      setFit(UNCHANGED);
      return;
    }
    const room = innerHeight - box.top - EDGE_PX;
    const isScrolled = isCutOff && !fitsAbove && room >= LEAST_HEIGHT_PX;
    setFit({
      shiftPx:
        Math.min(0, document.documentElement.clientWidth - EDGE_PX - box.right) ||
        Math.max(0, EDGE_PX - box.left),
      maxHeightPx: isScrolled ? room : null,
    });
    if (isCutOff && !fitsAbove && !isScrolled) popup.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const chosen = root.current?.querySelector<HTMLElement>('[aria-checked=true]');
    (chosen ?? itemElements()[0])?.focus();
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) setIsOpen(false);
    };
    addEventListener('pointerdown', closeOutside);
    return () => removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);

  const moveFocus = (event: KeyboardEvent) => {
    const elements = itemElements();
    const index = elements.indexOf(document.activeElement as HTMLElement);
    const targets = new Map([
      ['ArrowDown', (index + 1) % elements.length],
      ['ArrowUp', (index - 1 + elements.length) % elements.length],
      ['Home', 0],
      ['End', elements.length - 1],
    ]);
    const target = targets.get(event.key);
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') setIsOpen(false);
    if (event.key === 'Escape' || target !== undefined) event.preventDefault();
    if (target !== undefined) elements[target]?.focus();
  };

  return (
    <div class="menu" ref={root}>
      <button
        type="button"
        ref={opener}
        class={buttonClass}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <div
          ref={popup}
          style={{
            ...(fit.shiftPx === 0 ? {} : { translate: `${fit.shiftPx}px` }),
            ...(fit.maxHeightPx === null ? {} : { maxBlockSize: `${fit.maxHeightPx}px`, overflowY: 'auto' }),
          }}
          class={`popup${align === 'start' ? ' start' : ''}${isAbove ? ' above' : ''}`}
          onKeyDown={moveFocus}
        >
          {head !== undefined && <div class="about">{head}</div>}
          <div role="menu" aria-label={label}>
            {items.map((item, index) => (
              <MenuEntry key={index} item={item} onChosen={close} />
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

function MenuEntry({ item, onChosen }: { item: MenuItem; onChosen: () => void }) {
  const { label, path, run, danger = false, checked } = item;
  const classes = danger ? 'danger' : '';
  if (path !== undefined) {
    return (
      <a
        role="menuitem"
        tabIndex={-1}
        class={classes}
        href={path}
        onClick={(event) => {
          followLink(event);
          onChosen();
        }}
      >
        {label}
      </a>
    );
  }
  return (
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      {...(checked === undefined ? {} : { 'aria-checked': checked })}
      tabIndex={-1}
      class={classes}
      onClick={() => {
        onChosen();
        run?.();
      }}
    >
      {label}
    </button>
  );
}
