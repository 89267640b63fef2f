import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

let isFirst = true;

/** A page of the settings: its heading gets the focus when one comes to it from another. */
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
    document.title = `${title} · Canvass`;
    if (!isFirst) heading.current?.focus();
    isFirst = false;
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
