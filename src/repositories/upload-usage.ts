import type { Database } from '../db/connect.ts';
import { countOf, rowOf } from '../db/rows.ts';

/** Bytes of respondents' files: sent to a survey on a day (UTC), and stored for an organization. */
export class UploadUsageRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /**
   * Adds to the survey's day (YYYY-MM-DD) unless that exceeds `limitBytes` (0: no limit). False: nothing was added. The conditional
   * update locks the row, so that parallel uploads cannot exceed the limit together.
   */
  async addToDay(surveyId: number, day: string, bytes: number, limitBytes: number): Promise<boolean> {
    const added = await countOf(
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
    const added = await countOf(
      this.db,
      `INSERT INTO upload_totals (organization_id, bytes)
       SELECT organization_id, ?::bigint FROM surveys WHERE survey_id = ? AND (?::bigint = 0 OR ?::bigint <= ?::bigint)
       ON CONFLICT (organization_id) DO UPDATE SET bytes = upload_totals.bytes + excluded.bytes
       WHERE ?::bigint = 0 OR upload_totals.bytes + excluded.bytes <= ?::bigint`,
      [bytes, surveyId, limitBytes, bytes, limitBytes, limitBytes, limitBytes],
    );
    return added > 0;
  }

  /** Notes on the file's row how many bytes of the organization's total are its own. */
  async addToFile(surveyId: number, fileId: string, bytes: number): Promise<void> {
    await countOf(
      this.db,
      'UPDATE response_files SET reserved_bytes = reserved_bytes + ?::bigint WHERE survey_id = ? AND file_id = ?',
      [bytes, surveyId, fileId],
    );
  }

  /** Deletes the file's row and takes its bytes from the organization's total. Call within a transaction. */
  async removeFile(surveyId: number, fileId: string): Promise<void> {
    const removed = await rowOf<{ reserved_bytes: number }>(
      this.db,
      'DELETE FROM response_files WHERE survey_id = ? AND file_id = ? RETURNING reserved_bytes',
      [surveyId, fileId],
    );
    if (removed === null || removed.reserved_bytes === 0) return;
    await countOf(
      this.db,
      `UPDATE upload_totals SET bytes = greatest(0, bytes - ?::bigint)
       WHERE organization_id = (SELECT organization_id FROM surveys WHERE survey_id = ?)`,
      [removed.reserved_bytes, surveyId],
    );
  }

  /** Deletes the days before `day` (YYYY-MM-DD), which limit nothing any more. */
  async removeDaysBefore(day: string): Promise<void> {
    await countOf(this.db, 'DELETE FROM upload_days WHERE day < ?::date', [day]);
  }
}
