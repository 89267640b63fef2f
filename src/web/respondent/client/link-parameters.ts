/** What the address brought along. */
export interface LinkParameters {
  externalId: string | null;
  /** Values of the link, by name. */
  hidden: Record<string, string>;
  language: string | null;
  /** Of a response that is to be continued. */
  resumeToken: string | null;
}

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,47}$/;
const MOST_HIDDEN = 50;
const LONGEST_HIDDEN = 500;

/** `?external_id=…&lang=de&source=mail#r=<token>`: what is no word of ours is a hidden value. */
export function parseLinkParameters(location: { search: string; hash: string }): LinkParameters {
  const visit: LinkParameters = { externalId: null, hidden: {}, language: null, resumeToken: null };
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (name === 'external_id') visit.externalId = value.slice(0, 200) || null;
    else if (name === 'lang') visit.language = value;
    else if (NAME.test(name) && value !== '' && Object.keys(visit.hidden).length < MOST_HIDDEN) {
      visit.hidden[name] = value.slice(0, LONGEST_HIDDEN);
    }
  }
  // In the fragment, which no server and no Referer header ever sees.
  visit.resumeToken = /^#r=([A-Za-z0-9]{16,64})$/.exec(location.hash)?.[1] ?? null;
  return visit;
}
