import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import type { Words } from './words/en.ts';

/** What a survey's settings say to its respondents. */
export interface RespondentSettings {
  anonymous: boolean;
  default_language: string;
  languages: string[];
  color: string | null;
  show_progress: boolean;
  allow_back: boolean;
  completion_message: string | null;
  closed_message: string | null;
  /** Shown before the first page and agreed to there; null: nothing is asked. */
  consent_text: string | null;
  /** By language: survey_name, survey_description, completion_message, pages … */
  translations: Record<string, unknown> | null;
}

export type ShutReason = 'not_found' | 'closed' | 'paused' | 'full' | 'expired';

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
      }
    | { kind: 'shut'; reason: ShutReason; settings: RespondentSettings }
  );
