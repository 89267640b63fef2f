import { useEffect, useState } from 'preact/hooks';

const SHOWN_MS = 6_000;

let showToast = (_text: string): void => {};

/** Shows a confirmation for some seconds, and announces it to screen readers. */
export function announce(text: string): void {
  showToast(text);
}

export function Announcements() {
  const [text, setText] = useState('');
  useEffect(() => {
    let timer = 0;
    showToast = (message) => {
      clearTimeout(timer);
      setText(message);
      timer = setTimeout(() => setText(''), SHOWN_MS);
    };
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="toast" role="status">
      {text !== '' && <p key={text}>{text}</p>}
    </div>
  );
}
