import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { BRAND_MARK } from './brand.ts';
import { componentTexts } from './texts.ts';

/** Sets the page title, and moves the focus to the heading after navigation. A page that was just loaded keeps its focus. */
function useTitleAndFocus(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Canvass`;
    // Older browsers do not have userActivation; there the heading always gets the focus.
    const { hasBeenActive } = (navigator as Partial<Navigator>).userActivation ?? { hasBeenActive: true };
    if (hasBeenActive) heading.current?.focus();
  }, [title]);
  return heading;
}

/** The product with a link to its first page. */
export function Brand() {
  return <a class="brand" href="/" dangerouslySetInnerHTML={{ __html: `${BRAND_MARK} Canvass` }} />;
}

/** The shell of an application: the top bar, and the content beside its navigation. */
export function PageShell({
  place,
  links,
  user,
  navigation,
  path,
  children,
}: {
  /** Where the user works, such as the organization. */
  place: ComponentChildren;
  /** Links to other applications, as pairs of path and label. */
  links: readonly (readonly [path: string, label: string])[];
  user: ComponentChildren;
  navigation: ComponentChildren;
  /** Path of the page. Another path starts with new content. */
  path: string;
  children: ComponentChildren;
}) {
  return (
    <>
      <a class="skip" href="#content">
        {componentTexts.skip}
      </a>
      <header class="top">
        <Brand />
        <p class="where">{place}</p>
        <div class="links">
          {links.map(([address, label]) => (
            <a key={address} href={address}>
              {label}
            </a>
          ))}
        </div>
        <div class="who">{user}</div>
      </header>
      <div class="frame">
        {navigation}
        <main class="content" id="content" tabIndex={-1} key={path}>
          {children}
        </main>
      </div>
    </>
  );
}

/** A page of the application with its heading. */
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
  const heading = useTitleAndFocus(title);
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

/** The page of a visitor without a session: one card in the middle. */
export function StandalonePage({
  title,
  about,
  footer,
  children,
}: {
  title: string;
  about?: ComponentChildren;
  /** Below the card. */
  footer?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const heading = useTitleAndFocus(title);
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
      {footer !== undefined && <p class="below">{footer}</p>}
    </main>
  );
}
