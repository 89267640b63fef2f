import { useState } from 'preact/hooks';
import { announce } from './announce.tsx';
import { texts } from './texts.ts';

const SHOWN_MS = 2_500;

/** `name`: what is copied, for screen readers. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) {
      announce(texts.copy.blocked);
      return;
    }
    setCopied(true);
    announce(texts.copy.announced(name));
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button type="button" class="small" onClick={() => void copy()}>
      {copied ? texts.copy.copied : texts.copy.copy}
      <span class="unseen"> {name.toLowerCase()}</span>
    </button>
  );
}

/** Copies a text. Pages on plain http have no clipboard API, so these use `execCommand`. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const opener = document.activeElement as HTMLElement | null;
    const place = document.createElement('textarea');
    place.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(place);
    place.select();
    const done = document.execCommand('copy');
    place.remove();
    opener?.focus();
    return done;
  }
}
