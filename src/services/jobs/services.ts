import type { SharedServices } from '../shared-services.ts';
import { JobSweep } from '../system/sweeps.ts';

export function jobServices({ store, jobs, jobFiles, clock }: SharedServices) {
  return { jobs, jobFiles, jobSweep: new JobSweep(store, jobFiles, clock) };
}
