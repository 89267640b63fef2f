import type { SharedServices } from '../shared-services.ts';
import { JobSweep } from './job-sweep.ts';

export function jobServices({ store, jobs, jobFiles, clock }: SharedServices) {
  return { jobs, jobFiles, jobSweep: new JobSweep(store, jobFiles, clock) };
}
