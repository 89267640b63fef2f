import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { Clock } from '../../lib/clock.ts';
import { conflict, notFound } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { MismatchCount, MismatchRow } from '../../repositories/link-signatures.ts';
import type { LinkRow } from '../../repositories/links.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { SigningKeys } from '../collection/signing-keys.ts';
import { lockSurvey } from '../surveys/survey-lock.ts';

const KEY_PREFIX = 'cvl_';
/** 285 bits. */
const KEY_CHARACTERS = 48;

/** The keys with which panels sign the entries of their members, and what did not fit. */
export class LinkSigningService {
  constructor(
    private readonly store: Store,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /**
   * Creates the key of a link, in place of an earlier one. Only the returned value contains the key in plain text. Throws 409 for links
   * that are not of a panel.
   */
  async createKey(scope: SurveyScope, linkId: number): Promise<{ key: string; createdAt: Date }> {
    const key = KEY_PREFIX + this.ids.token(KEY_CHARACTERS);
    const createdAt = this.clock.now();
    await this.change(scope, linkId, async (repositories, link) => {
      if (link.link_type !== 'panel')
        throw conflict(
          'not_a_panel_link',
          `This link is of type ${link.link_type}; only a link of type panel has a signing key`,
        );
      await repositories.linkSignatures.setKey(
        { surveyId: scope.surveyId, linkId },
        this.keys.encrypt(linkId, key),
        createdAt,
      );
      return link.signing_key_created_at === null ? 'signing_key_created' : 'signing_key_rotated';
    });
    return { key, createdAt };
  }

  /** Throws 404 if the link has no key. */
  async revokeKey(scope: SurveyScope, linkId: number): Promise<void> {
    await this.change(scope, linkId, async (repositories, link) => {
      if (link.signing_key_created_at === null) throw notFound('signing key');
      await repositories.linkSignatures.setKey({ surveyId: scope.surveyId, linkId }, null, null);
      return 'signing_key_revoked';
    });
  }

  /** Returns the latest mismatches, newest first, and the counts of all. */
  async listMismatches(
    scope: SurveyScope,
    linkId: number,
  ): Promise<{ counts: MismatchCount[]; latest: MismatchRow[] }> {
    await this.findLink(this.store.read, scope, linkId);
    const link = { surveyId: scope.surveyId, linkId };
    const { linkSignatures } = this.store.read;
    return {
      counts: await linkSignatures.countMismatches(link),
      latest: await linkSignatures.listMismatches(link),
    };
  }

  private async change(
    scope: SurveyScope,
    linkId: number,
    work: (repositories: Repositories, link: LinkRow) => Promise<string>,
  ): Promise<void> {
    await this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      await repositories.links.lock(scope, [linkId]);
      const link = await this.findLink(repositories, scope, linkId);
      const action = await work(repositories, link);
      await repositories.audit.record({
        by: scope,
        action: `link.${action}`,
        objectType: 'link',
        objectId: linkId,
      });
    });
  }

  private async findLink({ links }: Repositories, scope: SurveyScope, linkId: number): Promise<LinkRow> {
    const link = await links.find(scope, linkId, this.clock.now());
    if (link === null) throw notFound('link');
    return link;
  }
}
