import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Brand } from '../brand.tsx';

/** A page for who is not signed in: one thing in its middle. */
export function Door({
  title,
  about,
  focus = false,
  children,
}: {
  title: string;
  about?: ComponentChildren;
  /** Whether it takes the place of another one that the reader was in. */
  focus?: boolean;
  children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Canvass`;
    if (focus) heading.current?.focus();
  }, [title]);
  return (
    <main class="door">
      <Brand />
      <div class="card">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {about !== undefined && <p class="about">{about}</p>}
        {children}
      </div>
    </main>
  );
}
