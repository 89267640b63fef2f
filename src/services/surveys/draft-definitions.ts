import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import type { Draft } from '../../repositories/definitions.ts';
import type { Store } from '../../repositories/store.ts';
import type { DefinitionSource } from './prepared-definitions.ts';

/** Of JSON; in memory it is a few times as much. One survey that is larger is read anew each time. */
const MAX_KEPT_CHARACTERS = 50_000_000;

/** Makes the bytes that a definition is shown as; the function itself is what they are kept under. */
export type WriteDefinition = (definition: SurveyDefinition) => Buffer;

interface Kept {
  draft: Draft;
  characters: number;
  written: Map<WriteDefinition, Buffer>;
}

/** What authors see of their surveys, kept by revision, so that reading a survey does not read its questions each time. */
export class DraftDefinitions {
  private readonly store: Store;
  private readonly kept = new Map<number, Kept>();
  private readonly loading = new Map<string, Promise<Kept>>();
  private characters = 0;

  constructor(store: Store) {
    this.store = store;
  }

  /** At the given revision or a later one. Do not change what you get. */
  async at(surveyId: number, revision: number, from?: DefinitionSource): Promise<SurveyDefinition> {
    return (await this.keptAt(surveyId, revision, from)).draft.definition;
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

  private async keptAt(surveyId: number, revision: number, from?: DefinitionSource): Promise<Kept> {
    const found = this.kept.get(surveyId);
    if (found === undefined || found.draft.revision < revision) return this.load(surveyId, revision, from);
    // Moved to the end: the first one in the map is the one that was not used for longest.
    this.kept.delete(surveyId);
    this.kept.set(surveyId, found);
    return found;
  }

  /** Requests for the same revision that come meanwhile wait for the same reading. */
  private load(
    surveyId: number,
    revision: number,
    from: DefinitionSource = this.store.detached(() => this.store.read),
  ): Promise<Kept> {
    const key = `${surveyId} ${revision}`;
    const running = this.loading.get(key);
    if (running !== undefined) return running;
    const reading = from.definitions
      .draftWithRevision(surveyId)
      .then((draft) => this.keep(surveyId, draft))
      .finally(() => this.loading.delete(key));
    this.loading.set(key, reading);
    return reading;
  }

  private keep(surveyId: number, draft: Draft): Kept {
    this.forget(surveyId);
    const characters = JSON.stringify(draft.definition).length;
    const kept = { draft, characters, written: new Map<WriteDefinition, Buffer>() };
    this.kept.set(surveyId, kept);
    this.characters += characters;
    for (const oldestId of this.kept.keys()) {
      if (this.characters <= MAX_KEPT_CHARACTERS) break;
      this.forget(oldestId);
    }
    return kept;
  }

  private forget(surveyId: number): void {
    this.characters -= this.kept.get(surveyId)?.characters ?? 0;
    this.kept.delete(surveyId);
  }
}
