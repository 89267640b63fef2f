import { useEffect, useState } from 'preact/hooks';
import { componentTexts } from './texts.ts';

const TOAST_MS = 6_000;
const COPIED_MS = 2_500;

let showToast = (_text: string): void => {};

/** Shows a confirmation for some seconds, and announces it to screen readers. */
export function announce(text: string): void {
  showToast(text);
}

/** Where `announce` shows its texts. A page has one. */
export function Toast() {
  const [text, setText] = useState('');
  useEffect(() => {
    let timer = 0;
    showToast = (message) => {
      clearTimeout(timer);
      setText(message);
      timer = setTimeout(() => setText(''), TOAST_MS);
    };
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="toast" role="status">
      {text !== '' && <p key={text}>{text}</p>}
    </div>
  );
}

/** `name`: what is copied, for screen readers. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) {
      announce(componentTexts.copyBlocked);
      return;
    }
    setCopied(true);
    announce(componentTexts.announceCopied(name));
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <button type="button" class="button small" onClick={() => void copy()}>
      {isCopied ? componentTexts.copied : componentTexts.copy}
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
