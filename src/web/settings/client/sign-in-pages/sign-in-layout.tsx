import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { setTitleAndFocus } from '../title-and-focus.ts';
import { Brand } from '../brand.tsx';

/** The layout of pages without a session: one card in the middle. */
export function SignInLayout({
  title,
  about,
  children,
}: {
  title: string;
  about?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    setTitleAndFocus(title, heading.current);
  }, [title]);
  return (
    <main class="standalone">
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
