import { componentTexts } from '../../../shared/client/texts.ts';

/** Items that a list shows at first, and that each press of the button adds. */
export const PAGE_SIZE = 50;
/** The API returns no more at once. */
export const MAX_LISTED = 1000;

/** The button below a list that has more items than it shows. */
export function ShowMore({
  total,
  limit,
  onChange,
}: {
  /** null: not known yet. */
  total: number | null;
  /** Items that are requested now. */
  limit: number;
  onChange: (limit: number) => void;
}) {
  if (total === null || total <= limit || limit >= MAX_LISTED) return null;
  return (
    <button
      type="button"
      class="button more"
      onClick={() => onChange(Math.min(MAX_LISTED, limit + PAGE_SIZE))}
    >
      {componentTexts.showMore}
    </button>
  );
}
