import type { Database } from '../db/connect.ts';
import { qualifyColumns } from './tables/columns.ts';
import type { JobFileTable } from './tables/system.ts';

/** A file that a job is about to write. */
interface NewJobFile {
  jobId: number;
  storedName: string;
  fileName: string;
  contentType: string;
}

const COLUMNS = ['stored_name', 'file_name', 'content_type', 'size_bytes'] as const;

/** A file that is stored completely. */
export type JobFileRow = Pick<JobFileTable, (typeof COLUMNS)[number]> & { size_bytes: number };

/** Files that jobs write for their owners. A job has at most one file. */
export class JobFileRepository {
  constructor(private readonly db: Database) {}

  /** Called before the first byte is stored, so that no stored file is without a row. */
  async create(file: NewJobFile): Promise<void> {
    await this.db('job_files').insert({
      job_id: file.jobId,
      stored_name: file.storedName,
      file_name: file.fileName,
      content_type: file.contentType,
    });
  }

  /** Marks the file as stored. Returns false if it was released in the meantime. */
  async markStored(storedName: string, sizeBytes: number): Promise<boolean> {
    const marked = await this.db('job_files')
      .where('stored_name', storedName)
      .whereNotNull('job_id')
      .update({ size_bytes: sizeBytes, stored_at: this.db.fn.now() });
    return marked > 0;
  }

  /** The file of a job; null: the job is not done, or has no file. */
  async ofJob(jobId: number): Promise<JobFileRow | null> {
    const [row] = await this.db('job_files')
      .join('jobs', 'jobs.job_id', 'job_files.job_id')
      .select<JobFileRow[]>(...qualifyColumns('job_files', COLUMNS))
      .where('job_files.job_id', jobId)
      .whereNotNull('job_files.stored_at')
      .where('jobs.status', 'done');
    return row ?? null;
  }

  /** Releases the files of a job for removal. Returns the names of those that are stored. */
  async release(jobId: number): Promise<string[]> {
    const rows = await this.db('job_files')
      .where('job_id', jobId)
      .update({ job_id: null })
      .returning(['stored_name', 'stored_at']);
    return rows.filter((row) => row.stored_at !== null).map((row) => row.stored_name);
  }

  /** Released files, up to `atMost`. Files not yet stored only if they were announced before `brokenBefore`: a worker may still write later ones. */
  async released(brokenBefore: Date, atMost: number): Promise<string[]> {
    const rows = await this.db('job_files')
      .select('stored_name')
      .whereNull('job_id')
      .where((file) => {
        void file.whereNotNull('stored_at').orWhere('created_at', '<', brokenBefore);
      })
      .limit(atMost);
    return rows.map((row) => row.stored_name);
  }

  /** Deletes the row, after the bytes are deleted. */
  async remove(storedName: string): Promise<void> {
    await this.db('job_files').where('stored_name', storedName).delete();
  }
}
