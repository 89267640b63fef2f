import { DateTime } from '../../../shared/client/date-time.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Card } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import { useSession } from '../shell/session-context.tsx';
import { ShowMore } from './show-more.tsx';

const t = texts.trash;
const UNDO_MS = 10_000;

/** A deleted object that the user can restore. */
interface DeletedItem {
  id: number;
  name: string;
  /** null: unknown. */
  deletedAt: string | null;
  restore: () => void;
}

/** A deleted object with a button that restores it. */
export function DeletedRow({ name, deletedAt, restore }: Omit<DeletedItem, 'id'>) {
  return (
    <li class="row">
      <div class="what">
        <p class="title">{name}</p>
        {deletedAt !== null && (
          <p class="soft">
            {t.deletedAt} <DateTime at={deletedAt} />
          </p>
        )}
      </div>
      <button type="button" class="button small" aria-label={t.restoreName(name)} onClick={restore}>
        {t.restore}
      </button>
    </li>
  );
}

/** Confirms a deletion and offers to undo it. Focuses the heading, since the menu that had the focus is gone. */
export function announceDeletion(text: string, restore: () => void): void {
  announce(text, { label: t.undo, durationMs: UNDO_MS, run: restore });
  setTimeout(() => document.querySelector<HTMLElement>('h1')?.focus());
}

/** The dashboards or reports of a workspace that its editors can restore; nothing if there are none. */
export function RecentlyDeleted({
  items,
  ...paging
}: {
  items: readonly DeletedItem[];
  total: number | null;
  limit: number;
  onChange: (limit: number) => void;
}) {
  const { deleted_retention_days: days } = useSession().me;
  if (items.length === 0) return null;
  return (
    <Card title={t.title} about={t.about(days)}>
      <ul class="rows" aria-label={t.title}>
        {items.map((item) => (
          <DeletedRow key={item.id} {...item} />
        ))}
      </ul>
      <ShowMore {...paging} />
    </Card>
  );
}
