import type { ColumnCatalog } from '../../domain/dataset/column-catalog.ts';
import {
  publishedCatalog,
  PublishedLabels,
  withPublishedTexts,
} from '../../domain/dataset/published-labels.ts';
import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import { prepareDefinition } from '../../domain/survey/logic/prepare-definition.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import type { Clock } from '../../lib/clock.ts';
import { isValidSignature, signText } from '../../lib/secrets.ts';
import type { Draft } from '../../repositories/definitions.ts';
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
    const [oldest] = this.entries.keys();
    if (oldest !== undefined && this.entries.size > MAX_ENTRIES) this.entries.delete(oldest);
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
  async loadAt(surveyId: number, revision: number, from?: DefinitionSource): Promise<SurveyDefinition> {
    return (await this.loadEntry(surveyId, revision, from)).draft.definition;
  }

  /** Like `load`, serialized; the bytes are cached too. */
  async loadSerialized(surveyId: number, revision: number, write: SerializeDefinition): Promise<Buffer> {
    const { draft, serialized } = await this.loadEntry(surveyId, revision);
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
      .loadDraftWithRevision(surveyId)
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

/** The published wording of a survey's data. */
interface PublishedWording {
  version: number;
  /** Returns the draft's columns with published labels, without columns that were never published. */
  catalogOf: (open: DraftColumns) => ColumnCatalog;
  labelsOf: (open: DraftColumns) => PublishedLabels;
  definitionOf: (draft: SurveyDefinition) => SurveyDefinition;
}

interface DraftColumns {
  catalog: ColumnCatalog;
  definition: SurveyDefinition;
}

/** Data follow the draft, but the public and readers of reports see the labels that respondents saw. */
export class PublishedWordings {
  /** By the draft's catalog, which is replaced after each change. */
  private readonly catalogs = new WeakMap<ColumnCatalog, { version: number; catalog: ColumnCatalog }>();

  constructor(
    private readonly store: Store,
    private readonly definitions: PreparedDefinitionCache,
  ) {}

  /** Returns null if no version is published. */
  async load(surveyId: number): Promise<PublishedWording | null> {
    const state = await this.store.read.surveys.findState(surveyId);
    const version = state?.published_version ?? null;
    if (version === null) return null;
    const { definition: published } = await this.definitions.loadPublished(surveyId, version);
    const catalogOf = ({ catalog, definition }: DraftColumns): ColumnCatalog => {
      const known = this.catalogs.get(catalog);
      if (known?.version === version) return known.catalog;
      const wording = publishedCatalog(catalog, definition, published);
      this.catalogs.set(catalog, { version, catalog: wording });
      return wording;
    };
    return {
      version,
      catalogOf,
      labelsOf: (open) => new PublishedLabels(open.catalog, catalogOf(open)),
      definitionOf: (draft) => withPublishedTexts(draft, published),
    };
  }
}

const PURPOSE = 'survey-preview';
const PREFIX = 'preview-';
const TTL_SECONDS = 24 * 60 * 60;
const FORM = /^preview-(([1-9]\d{0,15})-(\d{10,12}))-([A-Za-z0-9_-]{22})$/;

/** Tokens that open a draft for one day: `preview-<survey>-<until>-<signature>`. Nothing is stored. */
export class PreviewTokens {
  constructor(
    private readonly secret: string,
    private readonly clock: Clock,
  ) {}

  create(surveyId: number): { token: string; expiresAt: Date } {
    const until = Math.floor(this.clock.now().getTime() / 1000) + TTL_SECONDS;
    const text = `${surveyId}-${until}`;
    return {
      token: `${PREFIX}${text}-${signText(this.secret, PURPOSE, text)}`,
      expiresAt: new Date(until * 1000),
    };
  }

  /** Returns null if the token is not a valid preview token. */
  verify(token: string): { surveyId: number; expired: boolean } | null {
    const [, text, surveyId, until, signature] = FORM.exec(token) ?? [];
    if (
      text === undefined ||
      !isValidSignature(signature ?? '', { secret: this.secret, purpose: PURPOSE, text })
    )
      return null;
    return { surveyId: Number(surveyId), expired: this.clock.now().getTime() >= Number(until) * 1000 };
  }
}
