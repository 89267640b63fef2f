/** Five-pointed star in a box of 24 by 24. */
const STAR = 'M12 2.6l2.9 5.9 6.5.9-4.7 4.6 1.1 6.5L12 17.4l-5.8 3.1 1.1-6.5L2.6 9.4l6.5-.9z';

/** A star of a scale, filled up to the chosen point. */
export const Star = ({ isFilled }: { isFilled: boolean }) => (
  <svg class={isFilled ? 'shape filled' : 'shape'} viewBox="0 0 24 24" aria-hidden="true">
    <path d={STAR} />
  </svg>
);

/** A face. `mood` is from -1 (sad) to 1 (happy). */
export const Smiley = ({ mood }: { mood: number }) => (
  <svg class="shape" viewBox="0 0 24 24" aria-hidden="true">
    <circle cx="12" cy="12" r="9.5" />
    <path d={`M7.5 ${15.5 - mood} Q12 ${15.5 + 4 * mood} 16.5 ${15.5 - mood}M9 9v.5M15 9v.5`} />
  </svg>
);
