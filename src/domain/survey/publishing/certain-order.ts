import { type Arrangement, type Block, blocksAround } from '../blocks.ts';
import type { Page, Question, SurveyDefinition } from '../definition.ts';

/** A page, or a question on it. */
export interface Place {
  page: Page;
  question: Question | null;
}

/** One level of a place: the child of a survey, block or page in which it is. */
interface Step {
  /** null: the survey. */
  container: Block | Page | null;
  child: Block | Page | Question;
}

const FIXED: Arrangement = { order: 'fixed', pinned: [], show: null };

/** What is certain about the order in which respondents see the parts of a survey. */
export class CertainOrder {
  private readonly pages: Page[];

  constructor(private readonly definition: SurveyDefinition) {
    this.pages = definition.pages.filter(({ retired }) => !retired);
  }

  /** Returns the block, page or survey whose random order may put `later` before `earlier`; undefined: it never does. */
  uncertainContainer(earlier: Place, later: Place): Block | Page | null | undefined {
    const fork = this.forkOf(earlier, later);
    if (fork === null) return undefined;
    const [one, other] = fork;
    const places = this.possiblePlaces(one.container);
    const [last, first] = [places(one.child).last, places(other.child).first];
    return last < first ? undefined : one.container;
  }

  /** Whether a respondent who sees `later` may not have been shown `earlier`, by chance or because of an arm. */
  mayBeLeftOut(earlier: Place, later: Place): boolean {
    const steps = this.stepsTo(earlier);
    const shared = this.sharedSteps(earlier, later);
    return steps.slice(shared).some(({ container, child }) => {
      const arrangement = this.arrangementOf(container);
      const isPinned = arrangement?.pinned.includes(this.placeOf(container, child)) === true;
      return (
        (arrangement !== null && arrangement.show !== null && !isPinned) ||
        (container !== null && 'repeats' in container && (container.repeats?.max ?? null) !== null) ||
        ('arm' in child && child.arm !== null)
      );
    });
  }

  /** Whether the place is within a part that is shuffled, or left out for some, and that does not contain `from` too. */
  isRandomFrom(from: Place, target: Place): boolean {
    const steps = this.stepsTo(target).slice(this.sharedSteps(from, target));
    return (
      this.mayBeLeftOut(target, from) ||
      steps.some(({ container }) => (this.arrangementOf(container)?.order ?? 'fixed') !== 'fixed')
    );
  }

  /** Returns the children of the survey, a block or a page, in survey order. */
  childrenOf(container: Block | Page | null): readonly (Block | Page | Question)[] {
    if (container !== null && 'questions' in container)
      return container.questions.filter(({ retired, settings }) => !retired && !settings.hidden);
    const children = new Set<Block | Page>();
    for (const page of this.pages) {
      const step = this.stepsTo({ page, question: null }).find((each) => each.container === container);
      if (step !== undefined) children.add(step.child as Block | Page);
    }
    return [...children];
  }

  private arrangementOf(container: Block | Page | null): Arrangement | null {
    return container === null ? this.definition.arrangement : container.arrangement;
  }

  private placeOf(container: Block | Page | null, child: Block | Page | Question): number {
    return this.childrenOf(container).indexOf(child) + 1;
  }

  private stepsTo({ page, question }: Place): Step[] {
    const around = blocksAround(this.definition.blocks, page.blockId);
    const path: (Block | Page | Question)[] = [...around, page, ...(question === null ? [] : [question])];
    return path.map((child, index) => ({
      container: (path[index - 1] as Block | Page | undefined) ?? null,
      child,
    }));
  }

  private sharedSteps(one: Place, other: Place): number {
    const [a, b] = [this.stepsTo(one), this.stepsTo(other)];
    const differing = a.findIndex(({ child }, index) => b[index]?.child !== child);
    return differing === -1 ? a.length : differing;
  }

  /** The steps at which two places part; null: one is within the other. */
  private forkOf(one: Place, other: Place): [Step, Step] | null {
    const shared = this.sharedSteps(one, other);
    const [a, b] = [this.stepsTo(one)[shared], this.stepsTo(other)[shared]];
    return a === undefined || b === undefined ? null : [a, b];
  }

  /** Returns the first and the last place that a child can have among the children of the container. */
  private possiblePlaces(container: Block | Page | null) {
    const { order, pinned } = this.arrangementOf(container) ?? FIXED;
    const children = this.childrenOf(container);
    const loose = children.flatMap((_, index) => (pinned.includes(index + 1) ? [] : [index + 1]));
    return (child: Block | Page | Question): { first: number; last: number } => {
      const place = children.indexOf(child) + 1;
      if (order === 'fixed' || pinned.includes(place)) return { first: place, last: place };
      return { first: Math.min(...loose), last: Math.max(...loose) };
    };
  }
}
