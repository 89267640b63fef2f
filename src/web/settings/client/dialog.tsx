import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Form } from './form.tsx';
import { texts } from './texts.ts';

/** What had the focus before a dialog; it stays that where one dialog leads to the next. */
let opener: HTMLElement | null = null;

/** It may be gone with what was done. */
function focusOpener(): void {
  if (document.querySelector('dialog[open]') !== null) return;
  (opener?.isConnected === true ? opener : document.querySelector('h1'))?.focus();
}

/** There while it is drawn; Escape and a click beside it close it too, and the focus goes back to where it came from. */
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
  useEffect(() => {
    if (document.activeElement instanceof HTMLElement && document.activeElement !== document.body)
      opener = document.activeElement;
    dialog.current!.showModal();
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

/** Asks once more, and does it. */
export function Confirm({
  title,
  action,
  danger = true,
  onClose,
  onYes,
  children,
}: {
  title: string;
  action: string;
  danger?: boolean;
  onClose: () => void;
  onYes: () => Promise<unknown>;
  children: ComponentChildren;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <Form
        submit={action}
        danger={danger}
        onSubmit={async () => {
          await onYes();
          onClose();
        }}
        aside={<Cancel onClose={onClose} />}
      />
    </Dialog>
  );
}

export function Cancel({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" class="quiet" onClick={onClose}>
      {texts.common.cancel}
    </button>
  );
}
