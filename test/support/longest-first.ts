import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes its time although its text is short. */
const LONG_RUNNING = /\/test\/(start|faults|browser|api\/permissions|api\/kernel)\//;

/** Runs the longest files first, so that no worker waits for a long last file. Without earlier runs Vitest uses the file size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG_RUNNING.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
