import { useEffect, useRef } from 'preact/hooks';
import './email-frame.css';

/** An email as its recipient sees it. */
export function EmailFrame({ subject, html }: { subject: string; html: string }) {
  return (
    <div class="email-frame">
      <p class="email-subject">{subject}</p>
      <EmailBody html={html} />
    </div>
  );
}

/**
 * Shows the HTML of an email in a shadow tree, apart from the styles of the page. The content policy forbids style attributes in HTML, but
 * not styles that a script sets.
 */
function EmailBody({ html }: { html: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const parsed = new DOMParser().parseFromString(
      html.replaceAll(/ style="/g, ' data-style="'),
      'text/html',
    );
    const body = document.createElement('div');
    body.append(...parsed.body.childNodes);
    for (const element of body.querySelectorAll<HTMLElement>('[data-style]')) {
      element.style.cssText = element.dataset.style ?? '';
      delete element.dataset.style;
    }
    // A preview: its links lead nowhere.
    for (const link of body.querySelectorAll('a')) link.removeAttribute('href');
    root.replaceChildren(body);
  }, [html]);
  return <div class="email-body" ref={host} />;
}
