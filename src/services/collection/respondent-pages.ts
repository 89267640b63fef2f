import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import type { RespondentProfile } from '../../domain/survey/logic/respondent-context.ts';
import { respondentDefinition } from '../../domain/survey/respondent-definition.ts';
import { type SurveySettings, surveySettingsOf } from '../../domain/survey/settings/survey-settings.ts';
import { AppError } from '../../lib/errors.ts';
import type { Store } from '../../repositories/store.ts';
import { looksForDevice } from './collection-quality.ts';
import { type Entrance, type Entrances, respondentAsked, shownLinkType } from './entrances.ts';
import { noteOpened } from './invitation-steps.ts';
import type { LinkPlaces } from './link-places.ts';
import type { OpenedMoments } from './opened-moments.ts';

type ShutReason =
  | 'not_found'
  | 'closed'
  | 'paused'
  | 'full'
  | 'expired'
  | 'wave_not_open'
  | 'wave_ended'
  | 'already_answered';

/** What is behind a respondent's address. */
export type RespondentPage =
  | {
      definition: SurveyDefinition;
      linkType: Entrance['linkType'];
      isPreview: boolean;
      /** When this was, in the words of collection/opened-moments.ts. */
      opened: string;
      /** Duplicates of the browser are looked for. */
      looksForDevice: boolean;
      settings: SurveySettings;
      /** Of whom was invited, what the survey asks for. */
      respondent: RespondentProfile | null;
      /** Who has begun may go on; nobody else may begin, for this reason. null: anybody may. */
      shut: ShutReason | null;
    }
  | {
      definition: null;
      settings: SurveySettings;
      shut: ShutReason;
      /** For the reason `wave_not_open`: when it will be. */
      opensAt: Date | null;
    };

/** Of links and previews alike; what is of another form is not looked for. */
const TOKEN = /^[A-Za-z0-9_-]{8,64}$/;

const REASONS = new Map<string, ShutReason>([
  ['link_paused', 'paused'],
  ['link_expired', 'expired'],
  ['link_deleted', 'expired'],
  ['survey_closed', 'closed'],
  ['wave_not_open', 'wave_not_open'],
  ['wave_ended', 'wave_ended'],
  ['quota_full', 'full'],
  ['already_answered', 'already_answered'],
  ['not_found', 'not_found'],
]);

function reasonOf(error: unknown): ShutReason {
  const reason = error instanceof AppError ? REASONS.get(error.code) : undefined;
  if (reason === undefined) throw error;
  return reason;
}

/** The way into a survey for whoever follows an address in a browser: refusals are pages too. */
export class RespondentPageService {
  private readonly store: Store;
  private readonly entrances: Entrances;
  private readonly places: LinkPlaces;
  private readonly openedMoments: OpenedMoments;

  constructor(store: Store, entrances: Entrances, places: LinkPlaces, openedMoments: OpenedMoments) {
    this.store = store;
    this.entrances = entrances;
    this.places = places;
    this.openedMoments = openedMoments;
  }

  async open(token: string): Promise<RespondentPage> {
    if (!TOKEN.test(token)) {
      return { definition: null, shut: 'not_found', settings: surveySettingsOf({}), opensAt: null };
    }
    let shut: ShutReason | null = null;
    let entrance: Entrance;
    try {
      entrance = await this.entrances.enter(token);
      if (entrance.invitation?.hasEnded === true) shut = 'already_answered';
      else if (await this.places.isFull(this.store.read, entrance)) shut = 'full';
      if (shut === null) await noteOpened(this.store, entrance);
    } catch (error) {
      shut = reasonOf(error);
      // Nobody has begun: what will be asked stays unread until then.
      if (shut === 'wave_not_open')
        return { definition: null, shut, ...(await this.entrances.behind(token)) };
      try {
        entrance = await this.entrances.comeBack(token);
      } catch (again) {
        return { definition: null, shut: reasonOf(again), ...(await this.entrances.behind(token)) };
      }
    }
    const { definition } = await this.entrances.prepared(entrance);
    const { isPreview, settings } = entrance;
    return {
      definition: respondentDefinition(definition),
      linkType: shownLinkType(entrance),
      isPreview,
      opened: this.openedMoments.make(entrance.surveyId),
      looksForDevice: looksForDevice(entrance),
      settings,
      respondent: respondentAsked(entrance, definition),
      shut,
    };
  }
}
