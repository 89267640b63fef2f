import { useEffect, useState } from 'preact/hooks';
import { componentTexts } from './texts.ts';

const TOAST_MS = 6_000;
const COPIED_MS = 2_500;

/** A button of a notice, such as "Undo". It disappears with the notice. */
export interface NoticeAction {
  label: string;
  run: () => void;
  /** Time for which the notice is shown. */
  durationMs: number;
}

let showToast = (_text: string, _action: NoticeAction | null): void => {};

/** Shows a confirmation for some seconds, and announces it to screen readers. */
export function announce(text: string, action: NoticeAction | null = null): void {
  showToast(text, action);
}

/** Where `announce` shows its texts. A page has one. */
export function Toast() {
  const [notice, setNotice] = useState<{ text: string; action: NoticeAction | null } | null>(null);
  useEffect(() => {
    let timer = 0;
    showToast = (text, action) => {
      clearTimeout(timer);
      setNotice({ text, action });
      timer = setTimeout(() => setNotice(null), action?.durationMs ?? TOAST_MS);
    };
    return () => clearTimeout(timer);
  }, []);
  const runAction = (action: NoticeAction) => {
    setNotice(null);
    action.run();
  };
  return (
    <div class="toast" role="status">
      {notice !== null && (
        <p key={notice.text}>
          {notice.text}
          {notice.action !== null && (
            <button type="button" onClick={() => notice.action !== null && runAction(notice.action)}>
              {notice.action.label}
            </button>
          )}
        </p>
      )}
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
