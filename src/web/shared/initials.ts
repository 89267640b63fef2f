/** What stands for a user without a picture: the first letters of the first and the last name. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const initialWords = words.length > 1 ? [words.at(0), words.at(-1)] : words;
  return initialWords.map((word = '') => [...word].slice(0, 1).join('').toLocaleUpperCase()).join('');
}

const HUES = 6;

/** The CSS classes of an avatar. Each user has one of the colors of components.css. */
export const avatarClass = (userId: number): string => `avatar hue-${userId % HUES}`;
