import { useRef, useState } from 'preact/hooks';
import type { Session } from './session.ts';

/** A button and dialog with a link that continues this response on any device. */
export function ContinueLater({ session }: { session: Session }) {
  const { messages } = session;
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [link, setLink] = useState<string | null>(null);
  const [isCopied, setIsCopied] = useState(false);
  if (session.survey.preview) return null;

  const open = () => {
    setIsCopied(false);
    dialog.current?.showModal();
    void session.outbox.ensureStarted().then((token) => {
      setLink(`${location.origin}${location.pathname}${location.search}#r=${token}`);
    });
  };
  const copy = async () => {
    if (link === null) return;
    try {
      await navigator.clipboard.writeText(link);
      setIsCopied(true);
    } catch {
      // Without permission or a secure context, the link is selected for the copy command of the browser.
      field.current?.select();
    }
  };
  return (
    <>
      <button type="button" class="plain" onClick={open}>
        {messages.later}
      </button>
      <dialog ref={dialog} aria-labelledby="later-title">
        <h2 id="later-title">{messages.later}</h2>
        <p>{messages.later_text}</p>
        {link === null ? (
          <p role="status">{messages.later_offline}</p>
        ) : (
          <input
            ref={field}
            class="field"
            readOnly
            value={link}
            aria-label={messages.later_link}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
        <div class="buttons">
          <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
            {messages.close}
          </button>
          <button type="button" class="main" disabled={link === null} onClick={() => void copy()}>
            {isCopied ? messages.copied : messages.copy}
          </button>
        </div>
        <p class="visually-hidden" role="status">
          {isCopied ? messages.copied : ''}
        </p>
      </dialog>
    </>
  );
}
