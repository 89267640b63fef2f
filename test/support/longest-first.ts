import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes its time although its text is short. */
const LONG = /\/test\/(start|faults|browser|api\/permissions|api\/kernel)\//;

/** The longest files first, else one of them is last, and one worker waits for the other. Without earlier runs Vitest goes by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
