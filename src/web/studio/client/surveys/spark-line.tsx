import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const BAR = 5;
const GAP = 2;
const HEIGHT = 24;
/** A day without responses is shown too. */
const LOWEST = 1.5;

/** The complete responses of each of the last 14 days as small bars. */
export function SparkLine({ activity }: { activity: readonly Schema<'SurveyActivity'>[] }) {
  const counts = activity.map(({ complete_count: count }) => count);
  const most = Math.max(0, ...counts);
  const busiest = activity.find(({ complete_count: count }) => count === most);
  const sum = counts.reduce((total, count) => total + count, 0);
  const text =
    busiest === undefined || most === 0
      ? texts.surveys.noActivity
      : texts.surveys.activity(sum, DAY.format(new Date(busiest.day)), most);
  return (
    <svg
      class="spark"
      width={activity.length * (BAR + GAP) - GAP}
      height={HEIGHT}
      role="img"
      aria-label={text}
    >
      <title>{text}</title>
      {counts.map((count, index) => {
        const height = most === 0 ? LOWEST : Math.max(LOWEST, (count / most) * HEIGHT);
        return (
          <rect
            key={index}
            class={count === 0 ? 'none' : ''}
            x={index * (BAR + GAP)}
            y={HEIGHT - height}
            width={BAR}
            height={height}
            rx={1}
          />
        );
      })}
    </svg>
  );
}
