import { useState } from 'preact/hooks';
import { announce } from './announce.tsx';
import { texts } from '../texts.ts';

const SHOWN_MS = 2_500;

/** `name`: what is copied, for screen readers. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const [isCopied, setCopied] = useState(false);
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
      {isCopied ? texts.copy.copied : texts.copy.copy}
      <span class="visually-hidden"> {name.toLowerCase()}</span>
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
    const textarea = document.createElement('textarea');
    textarea.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(textarea);
    textarea.select();
    const isCopied = document.execCommand('copy');
    textarea.remove();
    opener?.focus();
    return isCopied;
  }
}
