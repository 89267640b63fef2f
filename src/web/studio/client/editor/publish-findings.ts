import { ApiError } from '../../../shared/client/api.ts';
import { texts } from '../../texts.ts';
import { readApi, type Schema } from '../data/api.ts';
import { questionName } from './logic/logic-words.ts';
import { findUnreachablePages } from './logic/survey-flow.ts';
import { pageKey, questionKey, type SurveyContent } from './survey-content.ts';

type Problem = Schema<'PublishCheckProblem'>;

/** The publish check with the place of each problem. */
export interface LocatedCheck {
  check: Schema<'PublishCheck'>;
  /** Key of the page or question that the problem is about; null: the whole survey. */
  keyOf: (problem: Pick<Problem, 'page_id' | 'question_code'>) => string | null;
}

/** Reads the publish check. Throws ApiError. */
export async function readPublishCheck(surveyId: number, content: SurveyContent): Promise<LocatedCheck> {
  const path = { id: surveyId };
  const { data: check } = await readApi('/api/surveys/{id}/publish-check', { path });
  const keyOf: LocatedCheck['keyOf'] = ({ page_id: pageId, question_code: code }) => {
    const question = content.listQuestions().find(({ question_code: each }) => each === code);
    if (question !== undefined) return questionKey(question.question_id);
    return pageId === undefined ? null : pageKey(pageId);
  };
  return { check, keyOf };
}

/** Saves often follow each other; the check is read after the last. */
const DELAY_MS = 1_000;
const NONE: readonly string[] = [];

const words = texts.editor.findings;

/** What the publish check of the API says about logic and placeholders, at the page or question that it is about. */
export class PublishFindings {
  private messages = new Map<string, readonly string[]>();
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly surveyId: number,
    private readonly content: SurveyContent,
  ) {
    content.subscribe('saved', () => this.loadLater());
    this.loadLater();
  }

  /** Messages about a page or a question, by its key. */
  of(key: string): readonly string[] {
    return this.messages.get(key) ?? NONE;
  }

  private loadLater(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.load(), DELAY_MS);
  }

  private async load(): Promise<void> {
    try {
      this.show(await readPublishCheck(this.surveyId, this.content));
    } catch (error) {
      // The next save reads it again.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  private show({ check, keyOf }: LocatedCheck): void {
    const found = new Map<string, string[]>();
    const add = (key: string, message: string) => {
      const messages = found.get(key) ?? [];
      if (!messages.includes(message)) found.set(key, [...messages, message]);
    };
    const questions = this.content.listQuestions();
    for (const problem of check.problems) {
      const message = this.inWords(problem);
      const key = keyOf(problem);
      if (message !== null && key !== null) add(key, message);
    }
    for (const id of findUnreachablePages(this.content.pages, questions, this.content.listNamed()))
      add(pageKey(id), words.unreachable);
    const changed = new Set([...this.messages.keys(), ...found.keys()]);
    this.messages = found;
    for (const key of changed) this.content.notify(key);
  }

  /** null: the message is shown with the publication only. */
  private inWords({ code, message }: Problem): string | null {
    switch (code) {
      case 'forward_reference':
        return words.laterQuestion;
      case 'dangling_reference':
        return words.unknownTarget;
      case 'backward_skip':
        return words.backwardSkip;
      case 'logic_cycle': {
        const questions = this.content.listQuestions();
        const codes = message.slice(message.lastIndexOf(': ') + 2).split(' → ');
        return words.cycle(codes.map((each) => questionName(each, questions)).join(' → '));
      }
      case 'invalid_expression':
        return message;
      default:
        return null;
    }
  }
}
