import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, longest first: those that start processes, open pages or send thousands of requests. */
const LONGEST = [
  'api/system/upgrade',
  'faults/processes',
  'start/knex-cli',
  'faults/database',
  'api/http/contract',
  'unit/db/embedded',
  'start/readme',
  'api/http/hostile-input',
  'api/permissions/matrix-research',
  'api/http/fuzz',
  'browser/dashboard',
  'start/start',
  'api/system/restore',
  'browser/endings',
  'api/permissions/matrix-others',
  'browser/layout',
  'browser/settings',
  'api/system/backup',
  'browser/settings-access',
  'api/system/silent-database',
  'api/hostile/workbooks',
  'start/build',
  'browser/network',
  'unit/exporters/pdf/scripts',
  'api/system/read-replicas',
  'clients/generated-clients',
  'faults/full-disk',
  'architecture/layers',
].map((name) => `/test/${name}.test.ts`);

/** Folders whose other files take long although their text is short. */
const LONG_RUNNING = /\/test\/(start|faults|browser|api\/permissions)\//;

/** Runs the longest files first, so that no worker waits for a long last file. Without earlier runs Vitest uses the file size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(name));
      if (index >= 0) return index;
      return LONG_RUNNING.test(moduleId) ? LONGEST.length : LONGEST.length + 1;
    };
    return sorted.sort((one, other) => rankOf(one) - rankOf(other));
  }
}
