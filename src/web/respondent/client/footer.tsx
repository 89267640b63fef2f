import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../shared/client/dialog.tsx';
import { OneQuestion } from './one-question.tsx';
import type { Session } from './session.ts';

/** The navigation buttons, the number of problems, and the save status. */
export function Footer({ session }: { session: Session }) {
  const { messages, problems } = session;
  return (
    <footer>
      <p class={problems.size > 0 ? 'summary wrong' : 'visually-hidden'} role="alert">
        {session.problemSummary}
      </p>
      <div class="buttons">
        {session.settings.allow_back && session.screenIndex > 0 && (
          <button
            type="button"
            class="button"
            aria-disabled={session.isPageNew ? true : undefined}
            onClick={() => session.back()}
          >
            {messages.back}
          </button>
        )}
        <button type="submit" class="button primary" aria-disabled={session.isPageNew ? true : undefined}>
          {session.isLastScreen ? messages.submit : messages.next}
        </button>
        <OneQuestion session={session} />
      </div>
      <div class="below">
        <SaveState session={session} />
        <ContinueLater session={session} />
      </div>
    </footer>
  );
}

/** A status that lasts for a shorter time is not shown, to avoid flicker. */
const SETTLE_MS = 250;

function SaveState({ session }: { session: Session }) {
  const current = saveStatus(session);
  const [shown, setShown] = useState(current);
  useEffect(() => {
    const timer = setTimeout(() => setShown(saveStatus(session)), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [current]);
  const isOffline = session.outbox.state === 'waiting' || !navigator.onLine;
  return (
    <p class={`save${isOffline ? ' offline' : ''}`} role="status">
      {shown}
    </p>
  );
}

/** Returns the text that shows where the answers are saved. */
export function saveStatus({ messages, draft, outbox, isDraftStored, survey }: Session): string {
  if (survey.preview) return '';
  const hasAnswers = Object.keys(draft.inputs).length > 0;
  if (outbox.state === 'sending') return messages.saving;
  if (outbox.hasUnsent && outbox.state === 'waiting') {
    return navigator.onLine ? messages.retrying : messages.offline;
  }
  if (!navigator.onLine && hasAnswers) return messages.offline;
  if (draft.responseToken !== null && !outbox.hasUnsent && !draft.edited) return messages.saved;
  return hasAnswers && isDraftStored ? messages.saved_on_device : '';
}

/** A button and dialog with a link that continues this response on any device. */
function ContinueLater({ session }: { session: Session }) {
  const { messages } = session;
  const field = useRef<HTMLInputElement>(null);
  const [link, setLink] = useState<string | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isCopied, setIsCopied] = useState(false);
  if (session.survey.preview) return null;

  const open = () => {
    setIsCopied(false);
    setIsOpen(true);
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
      {isOpen && (
        <Dialog title={messages.later} onClose={() => setIsOpen(false)}>
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
            <button type="button" class="button" onClick={() => setIsOpen(false)}>
              {messages.close}
            </button>
            <button type="button" class="button primary" disabled={link === null} onClick={() => void copy()}>
              {isCopied ? messages.copied : messages.copy}
            </button>
          </div>
          <p class="visually-hidden" role="status">
            {isCopied ? messages.copied : ''}
          </p>
        </Dialog>
      )}
    </>
  );
}
