import { ICON_SHAPES, type IconName } from '../icon-shapes.ts';

/** An icon beside a text or in a button that has a name; screen readers leave it out. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICON_SHAPES[name]} {...(name === 'more' ? { 'stroke-width': '3' } : {})} />
    </svg>
  );
}
