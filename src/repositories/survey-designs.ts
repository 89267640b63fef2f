import type { Database } from '../db/connect.ts';
import type { SamplingDesign } from '../domain/survey/sampling-design.ts';

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

/** The sampling designs of surveys, at most one each. The caller of a method that writes holds the survey's lock. */
export class SurveyDesignRepository {
  constructor(private readonly db: Database) {}

  async find({ organizationId, surveyId }: SurveyKey): Promise<SamplingDesign | null> {
    const row = await this.db('survey_designs')
      .first('sampling_design')
      .where({ organization_id: organizationId, survey_id: surveyId });
    return row?.sampling_design ?? null;
  }

  /** Adds the design, or replaces the one that is there. */
  async save({ organizationId, surveyId }: SurveyKey, design: SamplingDesign): Promise<void> {
    await this.db('survey_designs')
      .insert({
        organization_id: organizationId,
        survey_id: surveyId,
        sampling_design: JSON.stringify(design),
      })
      .onConflict('survey_id')
      .merge(['sampling_design']);
  }

  async remove({ organizationId, surveyId }: SurveyKey): Promise<void> {
    await this.db('survey_designs').where({ organization_id: organizationId, survey_id: surveyId }).delete();
  }
}
