const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** A moment in the clock of who reads it; today's without the day. */
export function Moment({ at }: { at: string }) {
  const date = new Date(at);
  const day = DAY.format(date);
  const shown = day === DAY.format(new Date()) ? 'today' : day;
  return (
    <time dateTime={at}>
      {shown}, {TIME.format(date)}
    </time>
  );
}
