import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import { type PreparedDefinition, prepareDefinition } from '../../domain/survey/prepared-definition.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';

const MAX_ENTRIES = 200;

export type DefinitionSource = Pick<Repositories, 'definitions'>;

/**
 * Caches published definitions, prepared for validating answers. A version never changes, so entries are never stale.
 */
export class PreparedDefinitionCache {
  private readonly entries = new Map<string, Promise<PreparedDefinition>>();

  constructor(private readonly store: Store) {}

  /** `from`: the repositories of an open transaction, which must not wait for a second connection. */
  async loadPublished(
    surveyId: number,
    version: number,
    from: DefinitionSource = this.store.detached(() => this.store.read),
  ): Promise<PreparedDefinition> {
    const key = `${surveyId} ${version}`;
    const found = this.entries.get(key) ?? this.fetch(from, surveyId, version);
    // Moved to the end: the first key of the map is the least recently used.
    this.entries.delete(key);
    this.entries.set(key, found);
    if (this.entries.size > MAX_ENTRIES) this.entries.delete(this.entries.keys().next().value!);
    try {
      return await found;
    } catch (error) {
      this.entries.delete(key);
      throw error;
    }
  }

  private async fetch(
    { definitions }: DefinitionSource,
    surveyId: number,
    version: number,
  ): Promise<PreparedDefinition> {
    const definition: SurveyDefinition | null = await definitions.findPublished(surveyId, version);
    if (definition === null) throw new Error(`survey ${surveyId} has no version ${version}`);
    return prepareDefinition(definition);
  }
}
