import { questionsOf, type SurveyDefinition } from '../domain/survey/definition.ts';
import type { Draft } from '../repositories/definitions.ts';
import type { Store } from '../repositories/store.ts';

/** Pages, questions and options in all: some 100 MB at the most, bytes included. */
const MAX_KEPT_ITEMS = 200_000;

/** Makes the bytes that a definition is shown as; the function itself is what they are kept under. */
export type WriteDefinition = (definition: SurveyDefinition) => Buffer;

interface Kept {
  draft: Draft;
  items: number;
  written: Map<WriteDefinition, Buffer>;
}

/** What authors see of their surveys, kept by revision, so that reading a survey does not read its questions each time. */
export class DraftDefinitions {
  private readonly store: Store;
  private readonly kept = new Map<number, Kept>();
  private readonly loading = new Map<string, Promise<Kept>>();
  private items = 0;

  constructor(store: Store) {
    this.store = store;
  }

  /** At the given revision or a later one. Do not change what you get. */
  async at(surveyId: number, revision: number): Promise<SurveyDefinition> {
    return (await this.keptAt(surveyId, revision)).draft.definition;
  }

  /** The same as bytes, which are kept with it. */
  async writtenAt(surveyId: number, revision: number, write: WriteDefinition): Promise<Buffer> {
    const { draft, written } = await this.keptAt(surveyId, revision);
    const known = written.get(write);
    if (known !== undefined) return known;
    const bytes = write(draft.definition);
    written.set(write, bytes);
    return bytes;
  }

  private async keptAt(surveyId: number, revision: number): Promise<Kept> {
    const found = this.kept.get(surveyId);
    if (found === undefined || found.draft.revision < revision) return this.load(surveyId, revision);
    // Moved to the end: the first one in the map is the one that was not used for longest.
    this.kept.delete(surveyId);
    this.kept.set(surveyId, found);
    return found;
  }

  /** Requests for the same revision that come meanwhile wait for the same reading. */
  private load(surveyId: number, revision: number): Promise<Kept> {
    const key = `${surveyId} ${revision}`;
    const running = this.loading.get(key);
    if (running !== undefined) return running;
    const reading = this.store.read.definitions
      .draftWithRevision(surveyId)
      .then((draft) => this.keep(surveyId, draft))
      .finally(() => this.loading.delete(key));
    this.loading.set(key, reading);
    return reading;
  }

  private keep(surveyId: number, draft: Draft): Kept {
    this.forget(surveyId);
    const items = itemsOf(draft.definition);
    const kept = { draft, items, written: new Map<WriteDefinition, Buffer>() };
    this.kept.set(surveyId, kept);
    this.items += items;
    for (const oldestId of this.kept.keys()) {
      if (this.items <= MAX_KEPT_ITEMS) break;
      this.forget(oldestId);
    }
    return kept;
  }

  private forget(surveyId: number): void {
    this.items -= this.kept.get(surveyId)?.items ?? 0;
    this.kept.delete(surveyId);
  }
}

function itemsOf(definition: SurveyDefinition): number {
  const questions = questionsOf(definition, 'all');
  return questions.reduce((sum, question) => sum + 1 + question.options.length, 1 + definition.pages.length);
}
