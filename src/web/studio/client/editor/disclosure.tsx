import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A part that opens and closes. Its content is rendered while it is open. */
export function Disclosure({
  title,
  isOpenAtFirst = false,
  children,
}: {
  title: string;
  isOpenAtFirst?: boolean;
  children: () => ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details class="more-settings" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
}
