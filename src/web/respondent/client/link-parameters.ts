/** Parameters of the survey link. */
export interface LinkParameters {
  externalId: string | null;
  /** The signature of a panel and its time. */
  signedAt: string | null;
  signature: string | null;
  /** Hidden values by name. */
  hidden: Record<string, string>;
  language: string | null;
  /** Token of the response to continue. */
  resumeToken: string | null;
  /** Sample answers of an earlier response, which the author of a preview has chosen. */
  samples?: Record<string, unknown>;
}

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,47}$/;
const MAX_HIDDEN_VALUES = 50;
const MAX_HIDDEN_LENGTH = 500;

/** Parses `?external_id=…&lang=de&source=mail#r=<token>`. All other parameters are hidden values. */
export function parseLinkParameters(location: { search: string; hash: string }): LinkParameters {
  const parameters: LinkParameters = {
    externalId: null,
    signedAt: null,
    signature: null,
    hidden: {},
    language: null,
    resumeToken: null,
  };
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (name === 'external_id') parameters.externalId = value.slice(0, 200) || null;
    else if (name === 'signed_at') parameters.signedAt = value.slice(0, 20) || null;
    else if (name === 'signature') parameters.signature = value.slice(0, 200) || null;
    else if (name === 'lang') parameters.language = value;
    else if (NAME.test(name) && value !== '' && Object.keys(parameters.hidden).length < MAX_HIDDEN_VALUES) {
      parameters.hidden[name] = value.slice(0, MAX_HIDDEN_LENGTH);
    }
  }
  // Browsers do not send the fragment to servers or in the Referer header.
  parameters.resumeToken = /^#r=([A-Za-z0-9]{16,64})$/.exec(location.hash)?.[1] ?? null;
  return parameters;
}
