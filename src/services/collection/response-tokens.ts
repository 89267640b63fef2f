import type { Clock } from '../../lib/clock.ts';
import { deriveToken, isValidSignature, signText } from '../../lib/secrets.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { WrittenResponse } from '../../repositories/responses.ts';
import type { Store } from '../../repositories/store.ts';
import type { CollectionQuality } from './collection-quality.ts';
import type { CollectionService, Progress } from './collection.ts';
import type { LinkResolver, ResolvedLink } from './link-resolver.ts';
import { lockResponse, requirePartial } from './response-completion.ts';

const SECRET_PURPOSE = 'submission-client-secret';
const MOVE_PURPOSE = 'moved-response-token';

/** The proof that a repeated request comes from the client that has the response. */
interface ClientProof {
  surveyId: number;
  submissionId: string | null;
  /** Random text of the client. */
  clientSecret: string | null;
}

const proofText = ({ surveyId, submissionId, clientSecret }: ClientProof): string | null =>
  submissionId === null || clientSecret === null ? null : `${surveyId} ${submissionId} ${clientSecret}`;

/** Keyed hashes of client secrets. */
export class ClientSecrets {
  constructor(private readonly secret: string) {}

  /** null: a repeated request cannot be recognized. */
  hash(proof: ClientProof): string | null {
    const text = proofText(proof);
    return text === null ? null : signText(this.secret, SECRET_PURPOSE, text);
  }

  isValid(proof: ClientProof, { client_secret_hash: stored }: WrittenResponse): boolean {
    const text = proofText(proof);
    const { secret } = this;
    return (
      stored !== null && text !== null && isValidSignature(stored, { secret, purpose: SECRET_PURPOSE, text })
    );
  }
}

/** A response that continues in another browser, with the token that only this browser has. */
export interface MovedResponse {
  progress: Progress;
  responseToken: string;
}

/**
 * Moves responses to another browser: it receives a new token, and the token and the client secret of the sender of the
 * link end. So the sender cannot read what the recipient answers.
 */
export class ResponseMoves {
  private readonly clientSecrets: ClientSecrets;

  constructor(
    private readonly store: Store,
    private readonly linkResolver: LinkResolver,
    private readonly collection: CollectionService,
    private readonly quality: CollectionQuality,
    private readonly clock: Clock,
    private readonly secret: string,
  ) {
    this.clientSecrets = new ClientSecrets(secret);
  }

  /**
   * Replaces the token. The new one is derived from the old one and the client secret: a client that lost the reply
   * repeats the request and gets the same token. Throws 400 without the consent that the survey requires, 409 when the
   * response has ended.
   */
  async move(
    linkToken: string,
    responseToken: string,
    { clientSecret, consent }: { clientSecret: string; consent: boolean },
  ): Promise<MovedResponse> {
    const link = await this.linkResolver.resolveForResume(linkToken);
    const newToken = deriveToken(this.secret, MOVE_PURPOSE, `${responseToken} ${clientSecret}`);
    const consentedAt = this.quality.requireConsent(link, consent);
    await this.store.transaction(async (repositories) => {
      const repeated = await repositories.responses.findByToken(link.surveyId, newToken);
      if (repeated !== null) return;
      await this.replaceToken(repositories, link, { responseToken, newToken, clientSecret, consentedAt });
    });
    return { progress: await this.collection.resume(linkToken, newToken), responseToken: newToken };
  }

  private async replaceToken(
    repositories: Repositories,
    link: ResolvedLink,
    {
      responseToken,
      newToken,
      clientSecret,
      consentedAt,
    }: { responseToken: string; newToken: string; clientSecret: string; consentedAt: Date | null },
  ): Promise<void> {
    const { surveyId } = link;
    const response = await lockResponse(repositories, link, { responseToken, now: this.clock.now() });
    requirePartial(response);
    this.linkResolver.requireWaveWithinGrace(response);
    const { submission_id: submissionId } = response;
    await repositories.responses.replaceToken(surveyId, response.response_id, {
      responseToken: newToken,
      clientSecretHash: this.clientSecrets.hash({ surveyId, submissionId, clientSecret }),
      consentedAt,
    });
  }
}
