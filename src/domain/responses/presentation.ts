/** What chance decided for one response, as it is stored with the response. Absent: nothing of this kind was random. */
export interface Presentation {
  /** Arm codes by block_id. */
  arms?: Readonly<Record<string, string>>;
  /** By question code: the place among the questions that the respondent was asked, from 1. */
  positions?: Readonly<Record<string, number>>;
  /** By question code: the option_values, or the row codes of a matrix, in the order shown, separated by semicolons. */
  orders?: Readonly<Record<string, string>>;
}

const PARTS = ['arms', 'positions', 'orders', 'page_times'] as const;
type Part = (typeof PARTS)[number];

/** Returns the code by which a column is loaded: no question or metadata column has one with a @. */
export const presentationLoadCode = (part: Part, key: string): string => `@${part}.${key}`;

/** Returns what `presentationLoadCode` was given; null for other codes. */
export function readPresentationLoadCode(loadCode: string): { part: Part; key: string } | null {
  const [, name, key] = /^@([a-z_]+)\.([A-Za-z0-9_[\]-]+)$/.exec(loadCode) ?? [];
  const part = PARTS.find((each) => each === name);
  return part === undefined || key === undefined ? null : { part, key };
}
