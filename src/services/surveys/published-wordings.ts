import type { ColumnCatalog } from '../../domain/dataset/columns/column-catalog.ts';
import {
  publishedCatalog,
  PublishedLabels,
  withPublishedTexts,
} from '../../domain/dataset/columns/published-labels.ts';
import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import type { Store } from '../../repositories/store.ts';
import type { PreparedDefinitionCache } from './prepared-definition-cache.ts';

/** The published wording of a survey's data. */
export interface PublishedWording {
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
