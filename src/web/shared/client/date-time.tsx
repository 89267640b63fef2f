import { componentTexts } from './texts.ts';

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** A time in the user's time zone, with "today" instead of today's date. `isEnd`: `at` is exclusive, so the last moment before it is shown. */
export function DateTime({ at, isEnd = false }: { at: string; isEnd?: boolean }) {
  const date = new Date(Date.parse(at) - (isEnd ? 1 : 0));
  const day = DAY.format(date);
  const shown = day === DAY.format(new Date()) ? componentTexts.today : day;
  return (
    <time dateTime={at}>
      {shown}, {TIME.format(date)}
    </time>
  );
}
