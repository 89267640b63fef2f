import { loadView } from './load-view.ts';
import { texts } from '../texts.ts';

const AGE_INTERVAL_MS = 15_000;
/** Responses may arrive many times a second; a slower update keeps the page readable. */
const MIN_REFRESH_INTERVAL_MS = 3_000;

/** Updates the figures when responses arrive, and shows their age. A hidden page sends no requests. */
export function keepFresh(): void {
  listenForChanges(document.body.dataset.events!);
  showAge();
  setInterval(showAge, AGE_INTERVAL_MS);
  addEventListener('beforeprint', () => showUpdateTime((moment) => moment.toLocaleString()));
  addEventListener('afterprint', showAge);
}

async function refresh(): Promise<void> {
  await loadView(location.href, { quietly: true });
  showAge();
}

/** Listens for change events of the server, and then loads the new figures, at most once per AT_MOST_EVERY_MS. */
function listenForChanges(path: string): void {
  let source: EventSource | null = null;
  let refreshTimer = 0;
  let lastRefreshMs = 0;
  const scheduleRefresh = () => {
    if (refreshTimer !== 0) return;
    refreshTimer = setTimeout(
      () => {
        refreshTimer = 0;
        lastRefreshMs = Date.now();
        void refresh();
      },
      Math.max(0, lastRefreshMs + MIN_REFRESH_INTERVAL_MS - Date.now()),
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
      if (version !== undefined && version !== document.body.dataset.version) scheduleRefresh();
      showAge();
    });
    source.addEventListener('error', (event) => {
      document.querySelector('.fresh')?.classList.remove('live');
      // The server sends an error event when access ends; the reloaded page explains why.
      if (event instanceof MessageEvent) location.reload();
    });
  };
  document.addEventListener('visibilitychange', connect);
  connect();
}

const showAge = (): void =>
  showUpdateTime((moment) => formatAge(Math.max(0, (Date.now() - moment.getTime()) / 1000)));

function showUpdateTime(format: (date: Date) => string): void {
  const time = document.querySelector<HTMLTimeElement>('.fresh time');
  if (time === null) return;
  const date = new Date(time.dateTime);
  time.title = date.toLocaleString();
  time.textContent = format(date);
}

function formatAge(seconds: number): string {
  if (seconds < 60) return texts.age.justNow;
  const relativeTime = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  if (seconds < 3_600) return relativeTime.format(-Math.round(seconds / 60), 'minute');
  return seconds < 86_400
    ? relativeTime.format(-Math.round(seconds / 3_600), 'hour')
    : relativeTime.format(-Math.round(seconds / 86_400), 'day');
}
