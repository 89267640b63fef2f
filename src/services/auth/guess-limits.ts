import { createHash } from 'node:crypto';
import { addressNetwork } from '../../lib/address-network.ts';
import { tooManyRequests } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';
import {
  LIMIT_WINDOW_MS,
  secondsUntilReset,
  type WindowCount,
  type WindowCounter,
  type WindowCounters,
} from '../../lib/window-counter.ts';

/** Limit of wrong guesses per network over all accounts, as a multiple of the limit per account. */
const NETWORK_FACTOR = 5;
/** Limit of wrong guesses per account over all networks, as a multiple likewise. */
const TARGET_FACTOR = 10;
/** The largest prefix that one IPv6 customer usually gets. */
const IPV6_PREFIX_BITS = 56;
/** How long an attempt waits for others that are being verified. */
const MAX_WAIT_MS = 10_000;

/** One attempt to verify a secret. */
export interface Guess {
  /** The owner of the secret, such as `login ada@example.org`; equal for existing and unknown accounts. */
  target: string;
  address: string;
  /** A client that has proved that it belongs to the target (a known device, a session); counted separately. */
  knownClient: string | null;
}

interface Bound {
  key: string;
  limit: number;
}

interface Reservation extends Pick<WindowCount, 'endsAtMs'> {
  key: string;
}

interface InFlight {
  attempts: number;
  waiting: (() => void)[];
}

/**
 * Limits wrong password guesses within 15 minutes: `limit` per target and network, and as ceilings 5 times as many
 * per network and 10 times as many per target. So one network cannot lock out the owner on another network, and known
 * clients are never locked out by others.
 *
 * Every attempt is counted before its secret is verified and refunded if it was right: a parallel burst gets no more
 * attempts than a slow series, and right secrets never count. An attempt over the limit only because of unverified
 * attempts in this process waits for them.
 */
export class GuessLimits {
  private readonly counter: WindowCounter;
  private readonly inFlight = new Map<string, InFlight>();

  constructor(
    counters: WindowCounters,
    private readonly limit: number,
  ) {
    this.counter = counters('guesses', LIMIT_WINDOW_MS);
  }

  /**
   * Verifies a secret within the limits. `verify` returns null for a wrong one, which counts; its exceptions do not
   * count. Throws 429 with Retry-After before calling `verify`.
   */
  async attempt<T>(attempt: Guess, verify: () => Promise<T | null>): Promise<T | null> {
    const reservations = await this.reserve(this.boundsOf(attempt));
    let isWrong = false;
    try {
      const verified = await verify();
      isWrong = verified === null;
      return verified;
    } finally {
      await this.settle(reservations, isWrong);
    }
  }

  private boundsOf({ target, address, knownClient }: Guess): Bound[] {
    const about = createHash('sha256').update(target).digest('base64url');
    if (knownClient !== null) return [{ key: `${about} ${knownClient}`, limit: this.limit }];
    const network = addressNetwork(address, IPV6_PREFIX_BITS);
    const [kind = ''] = target.split(' ', 1);
    // The network first: once its limit is reached, made-up accounts use no more memory.
    return [
      { key: `${kind} from ${network}`, limit: this.limit * NETWORK_FACTOR },
      { key: `${about} from ${network}`, limit: this.limit },
      { key: about, limit: this.limit * TARGET_FACTOR },
    ];
  }

  private async reserve(bounds: readonly Bound[]): Promise<Reservation[]> {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const reservations: Reservation[] = [];
      let full: Reservation | null = null;
      for (const { key, limit } of bounds) {
        const { totalHits, endsAtMs } = await this.counter.increment(key);
        if (totalHits > limit) {
          full = { key, endsAtMs };
          await this.refund(full);
          break;
        }
        this.begin(key);
        reservations.push({ key, endsAtMs });
      }
      if (full === null) return reservations;
      await this.settle(reservations, false);
      if (!(await this.waitForOthers(full.key, deadline))) throw tooManyRequests(secondsUntilReset(full));
    }
  }

  private async settle(reservations: readonly Reservation[], isWrong: boolean): Promise<void> {
    for (const reservation of reservations) {
      if (!isWrong) await this.refund(reservation);
      this.end(reservation.key, !isWrong);
    }
  }

  /** The counts of a window that has ended are already gone. */
  private async refund({ key, endsAtMs }: Reservation): Promise<void> {
    if (performance.now() >= endsAtMs) return;
    await this.counter.decrement(key);
  }

  private begin(key: string): void {
    const entry = this.inFlight.get(key);
    if (entry === undefined) this.inFlight.set(key, { attempts: 1, waiting: [] });
    else entry.attempts += 1;
  }

  private end(key: string, hasRoom: boolean): void {
    const entry = requireValue(this.inFlight.get(key), 'attempt in progress');
    entry.attempts -= 1;
    if (hasRoom) entry.waiting.shift()?.();
    if (entry.attempts > 0) return;
    this.inFlight.delete(key);
    for (const wake of entry.waiting) wake();
  }

  /** Returns false if no attempt is in progress, or waiting took too long. */
  private waitForOthers(key: string, deadline: number): Promise<boolean> {
    const entry = this.inFlight.get(key);
    if (entry === undefined || performance.now() >= deadline) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        entry.waiting.splice(entry.waiting.indexOf(wake), 1);
        resolve(false);
      }, deadline - performance.now());
      const wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
      entry.waiting.push(wake);
    });
  }
}
