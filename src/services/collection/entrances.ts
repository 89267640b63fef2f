import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import { SURVEY_STATUS } from '../../domain/survey/publishing/lifecycle.ts';
import { linkLimit } from '../../domain/survey/link-status.ts';
import { type PreparedDefinition, prepareDefinition } from '../../domain/survey/prepared-definition.ts';
import { type QualitySettings, qualitySettingsOf } from '../../domain/survey/settings/quality-settings.ts';
import type { Redirects } from '../../domain/survey/settings/redirects.ts';
import { type SurveySettings, surveySettingsOf } from '../../domain/survey/settings/survey-settings.ts';
import type { Clock } from '../../lib/clock.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { conflict, gone, notFound } from '../../lib/errors.ts';
import type { OpenLinkRow } from '../../repositories/open-links.ts';
import type { Store } from '../../repositories/store.ts';
import type { DraftDefinitions } from '../surveys/draft-definitions.ts';
import type { DefinitionSource, PreparedDefinitions } from '../surveys/prepared-definitions.ts';
import type { PreviewTokens } from '../surveys/preview-tokens.ts';

/** After a survey closes or a link is deleted, those who had started may still finish. */
const GRACE_MS = 60 * 60 * 1000;

/** A respondent's way into a survey: a link, or an author's preview. */
export interface Entrance {
  surveyId: number;
  /** A preview has none. */
  linkId: number | null;
  linkType: OpenLinkRow['link_type'];
  isPreview: boolean;
  waveId: number | null;
  /** The most completes that may come through it. */
  limit: number | null;
  redirects: Redirects;
  settings: SurveySettings;
  qualitySettings: QualitySettings;
  /** What whoever begins now is asked: a published version, or of a preview the draft's revision. */
  version: number;
}

/** From the token in an address to what stands behind it. A respondent has no organization: the token is all there is. */
export class Entrances {
  private readonly store: Store;
  private readonly definitions: PreparedDefinitions;
  private readonly drafts: DraftDefinitions;
  private readonly previews: PreviewTokens;
  private readonly clock: Clock;
  private readonly linkByToken: (token: string) => Promise<OpenLinkRow | undefined>;
  private readonly preparedDrafts = new WeakMap<SurveyDefinition, PreparedDefinition>();

  constructor(
    store: Store,
    definitions: PreparedDefinitions,
    drafts: DraftDefinitions,
    previews: PreviewTokens,
    clock: Clock,
  ) {
    this.store = store;
    this.definitions = definitions;
    this.drafts = drafts;
    this.previews = previews;
    this.clock = clock;
    this.linkByToken = coalesce((tokens) => store.read.openLinks.byTokens(tokens));
  }

  /** For whoever begins. */
  async enter(token: string): Promise<Entrance> {
    const preview = await this.preview(token);
    if (preview !== null) return preview;
    const link = await this.link(token);
    if (link.deleted_at !== null) throw linkDeleted();
    if (link.link_state === 'paused') throw conflict('link_paused', 'This link is paused');
    if (link.expires_at !== null && link.expires_at <= this.clock.now())
      throw gone('link_expired', 'This link has expired');
    if (link.survey_status !== SURVEY_STATUS.active) throw surveyClosed();
    return entranceOf(link);
  }

  /** For who has begun: pausing, expiry and a short while after closing do not cut them off. */
  async comeBack(token: string): Promise<Entrance> {
    const preview = await this.preview(token);
    if (preview !== null) return preview;
    const link = await this.link(token);
    const graceIsOver = (since: Date | null) =>
      since !== null && this.clock.now().getTime() - since.getTime() > GRACE_MS;
    if (graceIsOver(link.deleted_at)) throw linkDeleted();
    if (link.survey_status !== SURVEY_STATUS.active && graceIsOver(link.closed_at)) throw surveyClosed();
    return entranceOf(link);
  }

  /** What is asked in a version; a preview always shows the draft as it is now. `from`: within a transaction, its repositories. */
  async prepared(
    entrance: Entrance,
    version = entrance.version,
    from?: DefinitionSource,
  ): Promise<PreparedDefinition> {
    if (!entrance.isPreview) return this.definitions.published(entrance.surveyId, version, from);
    const definition = await this.drafts.at(entrance.surveyId, entrance.version, from);
    const prepared = this.preparedDrafts.get(definition) ?? prepareDefinition(definition);
    this.preparedDrafts.set(definition, prepared);
    return prepared;
  }

  private async link(token: string): Promise<OpenLinkRow & { published_version: number }> {
    const link = await this.linkByToken(token);
    if (link === undefined || link.published_version === null) throw notFound('survey link');
    return { ...link, published_version: link.published_version };
  }

  private async preview(token: string): Promise<Entrance | null> {
    const read = this.previews.read(token);
    if (read === null) return null;
    const survey = await this.store.read.surveys.state(read.surveyId);
    if (survey === null) throw notFound('survey link');
    if (read.expired) throw gone('link_expired', 'This preview has expired; make a new one');
    return {
      surveyId: survey.survey_id,
      linkId: null,
      linkType: 'open',
      isPreview: true,
      waveId: null,
      limit: null,
      redirects: {},
      settings: surveySettingsOf(survey.survey_settings),
      qualitySettings: qualitySettingsOf(survey.quality_settings),
      version: survey.revision,
    };
  }
}

const linkDeleted = () => gone('link_deleted', 'This link is no longer in use');
const surveyClosed = () => conflict('survey_closed', 'This survey no longer takes responses');

function entranceOf(link: OpenLinkRow & { published_version: number }): Entrance {
  return {
    surveyId: link.survey_id,
    linkId: link.link_id,
    linkType: link.link_type,
    isPreview: false,
    waveId: link.wave_id,
    limit: linkLimit(link.link_type, link.link_quota),
    redirects: link.redirects,
    settings: surveySettingsOf(link.survey_settings),
    qualitySettings: qualitySettingsOf(link.quality_settings),
    version: link.published_version,
  };
}
