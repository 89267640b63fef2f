import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';

/** A file that a job is about to write. */
interface NewJobFile {
  jobId: number;
  storedName: string;
  fileName: string;
  contentType: string;
}

export interface JobFileRow {
  stored_name: string;
  file_name: string;
  content_type: string;
  size_bytes: number;
}

/** What jobs write for their owners; a job has one file at most. */
export class JobFileRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Written before the first byte is stored. */
  async announce(file: NewJobFile): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO job_files (job_id, stored_name, file_name, content_type) VALUES (?, ?, ?, ?)`,
      [file.jobId, file.storedName, file.fileName, file.contentType],
    );
  }

  /** The bytes are there. False: nobody wants them any more. */
  async stored(storedName: string, sizeBytes: number): Promise<boolean> {
    const kept = await countOf(
      this.db,
      `UPDATE job_files SET size_bytes = ?, stored_at = now() WHERE stored_name = ? AND job_id IS NOT NULL`,
      [sizeBytes, storedName],
    );
    return kept > 0;
  }

  /** Of a job that is done. */
  ofJob(jobId: number): Promise<JobFileRow | null> {
    return rowOf(
      this.db,
      `SELECT f.stored_name, f.file_name, f.content_type, f.size_bytes FROM job_files f JOIN jobs j USING (job_id)
       WHERE f.job_id = ? AND f.stored_at IS NOT NULL AND j.status = 'done'`,
      [jobId],
    );
  }

  /** What an earlier attempt wrote, or a job whose result nobody gets, is to be removed; gives what is stored of it. */
  async release(jobId: number): Promise<string[]> {
    const rows = await rowsOf<{ stored_name: string; stored_at: Date | null }>(
      this.db,
      `UPDATE job_files SET job_id = NULL WHERE job_id = ? RETURNING stored_name, stored_at`,
      [jobId],
    );
    return rows.filter((row) => row.stored_at !== null).map((row) => row.stored_name);
  }

  /** Files that are nobody's, and no longer being written by somebody who has not noticed. */
  async released(brokenBefore: Date, atMost: number): Promise<string[]> {
    const rows = await rowsOf<{ stored_name: string }>(
      this.db,
      `SELECT stored_name FROM job_files WHERE job_id IS NULL AND (stored_at IS NOT NULL OR created_at < ?) LIMIT ?`,
      [brokenBefore, atMost],
    );
    return rows.map((row) => row.stored_name);
  }

  /** The last trace, when the bytes are gone. */
  async forget(storedName: string): Promise<void> {
    await countOf(this.db, `DELETE FROM job_files WHERE stored_name = ?`, [storedName]);
  }
}
