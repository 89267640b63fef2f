import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import type { RespondentFacts } from '../../domain/survey/logic/background.ts';
import type { RespondentSettings } from '../../domain/survey/settings/respondent-settings.ts';
import type { Words } from './words/en.ts';

export type ShutReason =
  | 'not_found'
  | 'closed'
  | 'paused'
  | 'full'
  | 'expired'
  | 'wave_not_open'
  | 'wave_ended'
  | 'already_answered';

interface Spoken {
  /** The page's own words, by every language of the survey. */
  words: Record<string, Words>;
}

/** What the shell carries, so that the first page needs no second request. */
export type PageState = Spoken &
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
        shutForNewcomers: ShutReason | null;
        definition: SurveyDefinition;
        settings: RespondentSettings;
        /** Of whom was invited, what the survey asks for. */
        respondent: RespondentFacts | null;
      }
    | {
        kind: 'shut';
        reason: ShutReason;
        /** When it will not be shut any more, in ISO 8601; null: that is not known. */
        opensAt: string | null;
        settings: RespondentSettings;
      }
  );
