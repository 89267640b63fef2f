import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import type { Draft } from '../../repositories/definitions.ts';
import type { Store } from '../../repositories/store.ts';
import type { DefinitionSource } from './prepared-definition-cache.ts';

/** Size as JSON; memory use is a few times as much. A larger survey is read from the database each time. */
const MAX_CHARACTERS = 50_000_000;

/** Serializes a definition; the function itself is the cache key. */
export type SerializeDefinition = (definition: SurveyDefinition) => Buffer;

interface CacheEntry {
  draft: Draft;
  characters: number;
  serialized: Map<SerializeDefinition, Buffer>;
}

/** Caches draft definitions by revision, so that showing a survey does not read its questions each time. */
export class DraftDefinitionCache {
  private readonly entries = new Map<number, CacheEntry>();
  private readonly loading = new Map<string, Promise<CacheEntry>>();
  private characters = 0;

  constructor(private readonly store: Store) {}

  /** Returns the definition at the given revision or a later one. Callers must not modify it. */
  async at(surveyId: number, revision: number, from?: DefinitionSource): Promise<SurveyDefinition> {
    return (await this.loadEntry(surveyId, revision, from)).draft.definition;
  }

  /** Like `load`, serialized; the bytes are cached too. */
  async loadSerialized(surveyId: number, revision: number, write: SerializeDefinition): Promise<Buffer> {
    const { draft, serialized: serialized } = await this.loadEntry(surveyId, revision);
    const known = serialized.get(write);
    if (known !== undefined) return known;
    const bytes = write(draft.definition);
    serialized.set(write, bytes);
    return bytes;
  }

  private async loadEntry(surveyId: number, revision: number, from?: DefinitionSource): Promise<CacheEntry> {
    const found = this.entries.get(surveyId);
    if (found === undefined || found.draft.revision < revision) return this.fetch(surveyId, revision, from);
    // Moved to the end: the first key of the map is the least recently used.
    this.entries.delete(surveyId);
    this.entries.set(surveyId, found);
    return found;
  }

  /** Concurrent requests for one revision share a single read. */
  private fetch(
    surveyId: number,
    revision: number,
    from: DefinitionSource = this.store.detached(() => this.store.read),
  ): Promise<CacheEntry> {
    const key = `${surveyId} ${revision}`;
    const running = this.loading.get(key);
    if (running !== undefined) return running;
    const reading = from.definitions
      .draftWithRevision(surveyId)
      .then((draft) => this.add(surveyId, draft))
      .finally(() => this.loading.delete(key));
    this.loading.set(key, reading);
    return reading;
  }

  private add(surveyId: number, draft: Draft): CacheEntry {
    this.evict(surveyId);
    const characters = JSON.stringify(draft.definition).length;
    const entry = { draft, characters, serialized: new Map<SerializeDefinition, Buffer>() };
    this.entries.set(surveyId, entry);
    this.characters += characters;
    for (const oldestId of this.entries.keys()) {
      if (this.characters <= MAX_CHARACTERS) break;
      this.evict(oldestId);
    }
    return entry;
  }

  private evict(surveyId: number): void {
    this.characters -= this.entries.get(surveyId)?.characters ?? 0;
    this.entries.delete(surveyId);
  }
}
