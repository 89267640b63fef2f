import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { Redirects } from '../../domain/survey/settings/redirects.ts';
import type { Clock } from '../../lib/clock.ts';
import { notFound } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { LinkRow, LinkType } from '../../repositories/links.ts';
import type { Store } from '../../repositories/store.ts';
import { lockSurvey } from '../surveys/survey-lock.ts';

/** 119 bits: nobody finds a link by trying. */
export const LINK_TOKEN_CHARACTERS = 20;

/** The ways into a survey. */
export class LinkService {
  private readonly store: Store;
  private readonly ids: Ids;
  private readonly clock: Clock;

  constructor(store: Store, ids: Ids, clock: Clock) {
    this.store = store;
    this.ids = ids;
    this.clock = clock;
  }

  /** The moment at which links are judged. */
  now(): Date {
    return this.clock.now();
  }

  list(scope: SurveyScope): Promise<LinkRow[]> {
    return this.store.read.links.ofSurvey(scope);
  }

  async get(scope: SurveyScope, linkId: number): Promise<LinkRow> {
    const link = await this.store.read.links.find(scope, linkId);
    if (link === null) throw notFound('link');
    return link;
  }

  async create(
    scope: SurveyScope,
    input: {
      type: LinkType;
      name: string;
      quota: number | null;
      expiresAt: Date | null;
      redirects: Redirects;
    },
  ): Promise<LinkRow> {
    const token = this.ids.token(LINK_TOKEN_CHARACTERS);
    return this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const link = await repositories.links.create(scope, { ...input, token });
      await repositories.audit.record({
        by: scope,
        action: 'link.created',
        objectType: 'link',
        objectId: link.link_id,
      });
      return link;
    });
  }
}
