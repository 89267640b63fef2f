import type { Foundations } from '../foundations.ts';
import { JobSweep } from './job-sweep.ts';

export function jobServices({ store, jobs, jobFiles, clock }: Foundations) {
  return { jobs, jobFiles, jobSweep: new JobSweep(store, jobFiles, clock) };
}
