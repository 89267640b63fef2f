import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { setTitleAndFocus } from '../title-and-focus.ts';

/** A page of the settings with its heading. */
export function Section({
  title,
  about,
  action,
  children,
}: {
  title: string;
  about?: ComponentChildren;
  action?: ComponentChildren;
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    setTitleAndFocus(title, heading.current);
  }, [title]);
  return (
    <>
      <div class="head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about !== undefined && <p class="about">{about}</p>}
        </div>
        {action}
      </div>
      {children}
    </>
  );
}

export function Card({
  title,
  about,
  children,
}: {
  title: string;
  about?: string;
  children: ComponentChildren;
}) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {about !== undefined && <p class="about">{about}</p>}
      {children}
    </section>
  );
}
