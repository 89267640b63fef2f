import { avatarClass, initialsOf } from '../initials.ts';

/** The picture of a user, or the initials without one. Hidden from screen readers, because the name is next to it. */
export function Avatar({
  user,
  large = false,
}: {
  user: { user_id: number; user_name: string; avatar_url?: string | null };
  large?: boolean;
}) {
  const classes = `${avatarClass(user.user_id)}${large ? ' large' : ''}`;
  const url = user.avatar_url ?? null;
  if (url !== null) {
    // Drops the host: the URL has the public host of the installation, and this page may have another one.
    const { pathname, search } = new URL(url);
    return <img class={classes} src={pathname + search} alt="" />;
  }
  return <span class={classes} data-initials={initialsOf(user.user_name)} aria-hidden="true" />;
}
