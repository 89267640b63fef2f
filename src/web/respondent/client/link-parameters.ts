/** Parameters of the survey link. */
export interface LinkParameters {
  externalId: string | null;
  /** Hidden values by name. */
  hidden: Record<string, string>;
  language: string | null;
  /** Token of the response to continue. */
  resumeToken: string | null;
}

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,47}$/;
const MOST_HIDDEN = 50;
const LONGEST_HIDDEN = 500;

/** Parses `?external_id=…&lang=de&source=mail#r=<token>`. All other parameters are hidden values. */
export function parseLinkParameters(location: { search: string; hash: string }): LinkParameters {
  const visit: LinkParameters = { externalId: null, hidden: {}, language: null, resumeToken: null };
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (name === 'external_id') visit.externalId = value.slice(0, 200) || null;
    else if (name === 'lang') visit.language = value;
    else if (NAME.test(name) && value !== '' && Object.keys(visit.hidden).length < MOST_HIDDEN) {
      visit.hidden[name] = value.slice(0, LONGEST_HIDDEN);
    }
  }
  // Browsers do not send the fragment to servers or in the Referer header.
  visit.resumeToken = /^#r=([A-Za-z0-9]{16,64})$/.exec(location.hash)?.[1] ?? null;
  return visit;
}
