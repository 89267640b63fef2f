import { loadView } from './load-view.ts';

const WORDS_EVERY_MS = 15_000;
/** Answers may come many times a second; a reader wants to read. */
const AT_MOST_EVERY_MS = 3_000;

/** Keeps the figures as new as the answers, and says how old they are. A page that nobody looks at asks for nothing. */
export function keepFresh(): void {
  listenForChanges(document.body.dataset.events!);
  showAge();
  setInterval(showAge, WORDS_EVERY_MS);
  addEventListener('beforeprint', () => showUpdateTime((moment) => moment.toLocaleString()));
  addEventListener('afterprint', showAge);
}

async function refresh(): Promise<void> {
  await loadView(location.href, { quietly: true });
  showAge();
}

/** The server says when there is something new; what it is, the page then asks for, at most so often. */
function listenForChanges(path: string): void {
  let source: EventSource | null = null;
  let planned = 0;
  let last = 0;
  const plan = () => {
    if (planned !== 0) return;
    planned = setTimeout(
      () => {
        planned = 0;
        last = Date.now();
        void refresh();
      },
      Math.max(0, last + AT_MOST_EVERY_MS - Date.now()),
    );
  };
  const connect = () => {
    if (document.hidden) {
      source?.close();
      source = null;
      return;
    }
    if (source !== null) return;
    source = new EventSource(path);
    source.addEventListener('open', () => document.querySelector('.fresh')?.classList.add('live'));
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const { version } = JSON.parse(data) as { version?: string };
      if (version !== undefined && version !== document.body.dataset.version) plan();
      showAge();
    });
    source.addEventListener('error', (event) => {
      document.querySelector('.fresh')?.classList.remove('live');
      // One that the server sent: it may not be looked at any more, and the page says so.
      if (event instanceof MessageEvent) location.reload();
    });
  };
  document.addEventListener('visibilitychange', connect);
  connect();
}

const showAge = (): void =>
  showUpdateTime((moment) => formatAge(Math.max(0, (Date.now() - moment.getTime()) / 1000)));

function showUpdateTime(words: (moment: Date) => string): void {
  const time = document.querySelector<HTMLTimeElement>('.fresh time');
  if (time === null) return;
  const moment = new Date(time.dateTime);
  time.title = moment.toLocaleString();
  time.textContent = words(moment);
}

function formatAge(seconds: number): string {
  if (seconds < 60) return 'a moment ago';
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  if (seconds < 3_600) return words.format(-Math.round(seconds / 60), 'minute');
  return seconds < 86_400
    ? words.format(-Math.round(seconds / 3_600), 'hour')
    : words.format(-Math.round(seconds / 86_400), 'day');
}
