import type { Database } from '../db/connect.ts';
import { queryCount } from '../db/rows.ts';

/** Bytes of respondents' files: sent to a survey on a day (UTC), and stored for an organization. */
export class UploadUsageRepository {
  constructor(private readonly db: Database) {}

  /**
   * Adds to the survey's day (YYYY-MM-DD) unless that exceeds `limitBytes` (0: no limit). False: nothing was added. The conditional
   * update locks the row, so that parallel uploads cannot exceed the limit together.
   */
  async addToDay(surveyId: number, day: string, bytes: number, limitBytes: number): Promise<boolean> {
    // Raw SQL: a conditional INSERT … SELECT without a table, with a conditional update on conflict.
    const added = await queryCount(
      this.db,
      `INSERT INTO upload_days (survey_id, day, bytes) SELECT ?, ?::date, ?::bigint WHERE ?::bigint = 0 OR ?::bigint <= ?::bigint
       ON CONFLICT (survey_id, day) DO UPDATE SET bytes = upload_days.bytes + excluded.bytes
       WHERE ?::bigint = 0 OR upload_days.bytes + excluded.bytes <= ?::bigint`,
      [surveyId, day, bytes, limitBytes, bytes, limitBytes, limitBytes, limitBytes],
    );
    return added > 0;
  }

  /** Adds to the organization of the survey unless that exceeds `limitBytes` (0: no limit). False: nothing was added. */
  async addToOrganization(surveyId: number, bytes: number, limitBytes: number): Promise<boolean> {
    // Raw SQL: a conditional INSERT … SELECT with a conditional update on conflict.
    const added = await queryCount(
      this.db,
      `INSERT INTO upload_totals (organization_id, bytes)
       SELECT organization_id, ?::bigint FROM surveys WHERE survey_id = ? AND (?::bigint = 0 OR ?::bigint <= ?::bigint)
       ON CONFLICT (organization_id) DO UPDATE SET bytes = upload_totals.bytes + excluded.bytes
       WHERE ?::bigint = 0 OR upload_totals.bytes + excluded.bytes <= ?::bigint`,
      [bytes, surveyId, limitBytes, bytes, limitBytes, limitBytes, limitBytes],
    );
    return added > 0;
  }

  /** Records in the file's row how many bytes of the organization's total belong to it. */
  async addToFile(surveyId: number, fileId: string, bytes: number): Promise<void> {
    await this.db('response_files')
      .where({ survey_id: surveyId, file_id: fileId })
      .increment('reserved_bytes', bytes);
  }

  /** Deletes the file's row and takes its bytes from the organization's total. Call within a transaction. */
  async removeFile(surveyId: number, fileId: string): Promise<void> {
    const [removed] = await this.db('response_files')
      .where({ survey_id: surveyId, file_id: fileId })
      .delete('reserved_bytes');
    if (removed === undefined || removed.reserved_bytes === 0) return;
    const organization = this.db('surveys').select('organization_id').where({ survey_id: surveyId });
    await this.db('upload_totals')
      .where('organization_id', '=', organization)
      .update({ bytes: this.db.raw('greatest(0, bytes - ?::bigint)', [removed.reserved_bytes]) });
  }

  /** Deletes the days before `day` (YYYY-MM-DD), which no longer limit anything. */
  async removeDaysBefore(day: string): Promise<void> {
    await this.db('upload_days').where('day', '<', day).delete();
  }
}
