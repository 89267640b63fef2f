import { createHash } from 'node:crypto';
import bcrypt from 'bcrypt';

/** Hashes and checks passwords: NFKC, SHA-256 (so that bytes past bcrypt's 72 count), bcrypt. */
export class PasswordHasher {
  /** Compared with if the account does not exist, so that both cases take the same time. */
  private readonly dummyHash: string;

  constructor(private readonly cost: number) {
    this.dummyHash = bcrypt.hashSync('nobody has this password', cost);
  }

  hash(password: string): Promise<string> {
    return bcrypt.hash(digest(password), this.cost);
  }

  /** Returns whether the hash has another work factor than the current one. */
  isOutdated(hash: string): boolean {
    return bcrypt.getRounds(hash) !== this.cost;
  }

  async matches(password: string, hash: string | null): Promise<boolean> {
    const isMatch = await bcrypt.compare(digest(password), hash ?? this.dummyHash);
    return isMatch && hash !== null;
  }
}

const digest = (password: string): string =>
  createHash('sha256').update(password.normalize('NFKC')).digest('base64');
