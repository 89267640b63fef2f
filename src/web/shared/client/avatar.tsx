/** The picture of a user, or the initials without one. Hidden from screen readers, because the name is next to it. */
export function Avatar({
  user,
  large = false,
}: {
  user: { user_id: number; user_name: string; avatar_url?: string | null };
  large?: boolean;
}) {
  const classes = `avatar hue-${user.user_id % 6}${large ? ' large' : ''}`;
  const url = user.avatar_url ?? null;
  if (url !== null) {
    // Drops the host: the URL has the public host of the installation, and this page may have another one.
    const { pathname, search } = new URL(url);
    return <img class={classes} src={pathname + search} alt="" />;
  }
  return (
    <span class={classes} aria-hidden="true">
      {initialsOf(user.user_name)}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const initialWords = words.length > 1 ? [words.at(0), words.at(-1)] : words;
  return initialWords.map((word = '') => [...word].slice(0, 1).join('').toLocaleUpperCase()).join('');
}
