import type { StoredAnswers } from '../../domain/questions/answers/codec.ts';
import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import type { RespondentProfile } from '../../domain/survey/prepared-definition.ts';
import type { RespondentSettings } from '../../domain/survey/survey-settings.ts';
import type { Messages } from './locales/en.ts';
import type { Theme } from './theme.ts';

export type UnavailableReason =
  | 'not_found'
  | 'closed'
  | 'paused'
  | 'full'
  | 'expired'
  | 'wave_not_open'
  | 'wave_ended'
  | 'already_answered'
  | 'signature_missing'
  | 'signature_invalid'
  | 'signature_expired'
  | 'signature_used';

interface PageLook {
  /** Texts of the page, by language of the survey. */
  messages: Record<string, Messages>;
  theme: Theme['properties'];
  /** Whether texts have format, so that the page loads what it needs for it. */
  hasMarkdown: boolean;
}

/** Data of the shell, so that the first page needs no second request. */
export type PageState = PageLook &
  (
    | {
        kind: 'survey';
        linkToken: string;
        linkType: 'open' | 'unique' | 'panel';
        preview: boolean;
        /** Signed time at which the page was opened; the start of the response sends it back. */
        opened: string;
        /** Whether the survey detects several responses from the same browser. */
        usesDeviceId: boolean;
        /** Why no new responses can start; responses in progress can continue. null: new responses can start. */
        newResponsesBlockedBy: UnavailableReason | null;
        definition: SurveyDefinition;
        settings: RespondentSettings;
        /** Data of the invited respondent that the survey uses. */
        respondent: RespondentProfile | null;
        /** Earlier answers of the respondent to which the survey refers. */
        previous: StoredAnswers;
      }
    | {
        kind: 'unavailable';
        reason: UnavailableReason;
        /** Time at which the survey opens, in ISO 8601; null if unknown. */
        opensAt: string | null;
        settings: RespondentSettings;
      }
  );
