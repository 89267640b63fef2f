import { type LocalizedMessages, messagesFor } from '../../../domain/invitations/messages.ts';
import { surveySettingsOf } from '../../../domain/survey/settings/survey-settings.ts';
import type { InvitedRow } from '../../../repositories/respondents.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { Store } from '../../../repositories/store.ts';

export interface OptOutPage {
  localized: LocalizedMessages;
  /** null: the token is unknown. */
  person: {
    organization: string;
    /** The masked address, which its owner recognizes. */
    address: string;
    isOptedOut: boolean;
  } | null;
}

const TOKEN = /^[A-Za-z0-9]{8,64}$/;

/** Opts recipients out of emails, and in again. They are identified by their token. */
export class OptOutService {
  constructor(private readonly store: Store) {}

  async open(token: string): Promise<OptOutPage> {
    const person = await findPerson(this.store.read, token);
    return person === null
      ? { localized: messagesFor(), person: null }
      : optOutPageOf(person, person.opted_out);
  }

  /** Opts the respondent and their address in the whole organization out or in. Idempotent. */
  change(token: string, isOptedOut: boolean): Promise<OptOutPage> {
    return this.store.transaction(async (repositories) => {
      const person = await findPerson(repositories, token);
      if (person === null) return { localized: messagesFor(), person: null };
      if (person.opted_out === isOptedOut) return optOutPageOf(person, isOptedOut);
      if (isOptedOut) await repositories.respondents.optOut(person);
      else await repositories.respondents.optIn(person);
      await repositories.audit.record({
        by: { organizationId: person.organization_id, userId: null },
        action: isOptedOut ? 'respondent.opted_out' : 'respondent.opted_in',
        objectType: 'respondent',
        objectId: person.respondent_id,
        details: { by: 'themselves' },
      });
      return optOutPageOf(person, isOptedOut);
    });
  }
}

const findPerson = async ({ respondents }: Repositories, token: string): Promise<InvitedRow | null> =>
  TOKEN.test(token) ? respondents.findByOptOutToken(token) : null;

function optOutPageOf(person: InvitedRow, isOptedOut: boolean): OptOutPage {
  const messages = messagesFor(person.language, surveySettingsOf(person.survey_settings).default_language);
  const address = person.respondent_email === null ? '—' : maskEmail(person.respondent_email);
  return { localized: messages, person: { organization: person.organization_name, address, isOptedOut } };
}

/** `a…@example.org`: an email may have been forwarded. */
function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return `${first}…${email.slice(at)}`;
}
