import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

/** The element that had the focus before the dialog. A dialog that another one opens keeps it. */
let opener: HTMLElement | null = null;

/** Returns the focus to the opener, or to the heading if the action removed the opener. */
function focusOpener(): void {
  if (document.querySelector('dialog[open]') !== null) return;
  // The page is where the user left it: a browser would scroll to where a sticky button stands without scrolling.
  if (opener?.isConnected === true) opener.focus({ preventScroll: true });
  else document.querySelector('h1')?.focus();
}

const RETRY_MS = 20;

/** Runs an action that moves the focus, when no dialog is open and the opener of the last one has the focus again. */
export function afterDialogs(moveFocus: () => void): void {
  if (document.querySelector('dialog[open]') === null) setTimeout(moveFocus);
  else setTimeout(() => afterDialogs(moveFocus), RETRY_MS);
}

/** A modal dialog, open while it is rendered. Escape and a click outside also close it; the focus returns to the opener. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next event: what is typed at once belongs to the dialog, not to the page below it.
  useLayoutEffect(() => {
    if (document.activeElement instanceof HTMLElement && document.activeElement !== document.body)
      opener = document.activeElement;
    dialog.current?.showModal();
    return () => setTimeout(focusOpener);
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="sheet">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
