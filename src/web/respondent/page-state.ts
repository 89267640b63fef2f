import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import type { RespondentProfile } from '../../domain/survey/logic/respondent-context.ts';
import type { RespondentSettings } from '../../domain/survey/settings/respondent-settings.ts';
import type { Messages } from './locales/en.ts';

export type UnavailableReason =
  | 'not_found'
  | 'closed'
  | 'paused'
  | 'full'
  | 'expired'
  | 'wave_not_open'
  | 'wave_ended'
  | 'already_answered';

interface WithMessages {
  /** The page's own words, by every language of the survey. */
  messages: Record<string, Messages>;
}

/** What the shell carries, so that the first page needs no second request. */
export type PageState = WithMessages &
  (
    | {
        kind: 'survey';
        linkToken: string;
        linkType: 'open' | 'unique' | 'panel';
        preview: boolean;
        /** When this was, for the response to begin with. */
        opened: string;
        /** The survey wants to know a second response from the same browser. */
        looksForDevice: boolean;
        /** Who has begun may go on; nobody else may begin, for this reason. null: anybody may. */
        newResponsesBlockedBy: UnavailableReason | null;
        definition: SurveyDefinition;
        settings: RespondentSettings;
        /** Of whom was invited, what the survey asks for. */
        respondent: RespondentProfile | null;
      }
    | {
        kind: 'unavailable';
        reason: UnavailableReason;
        /** When it will not be shut any more, in ISO 8601; null: that is not known. */
        opensAt: string | null;
        settings: RespondentSettings;
      }
  );
