import { AppError } from '../../lib/errors.ts';

/** An email to one recipient. */
export interface Mail {
  to: { name: string; address: string };
  /** A single line; line breaks in it become spaces. */
  subject: string;
  text: string;
  html: string;
  /** What it is known by all over the world, before the @; absent: something random. */
  id?: string;
  /** It is one of many: says how to get no more of them, here and with one click (RFC 8058), and that nobody is to answer by itself. */
  unsubscribeUrl?: string;
}

/**
 * Why a mail did not go out. `address`: its server says for good that there is nobody; `mail`: it was refused for good for what it is;
 * `passing`: it may be taken another time; `server`: there is no server that talks to us, so no other mail would go out either.
 */
export type Refusal = 'address' | 'mail' | 'passing' | 'server';

export class MailNotSent extends AppError {
  readonly refusal: Refusal;
  /** Whether the server said so. Without its word, a mail that was handed over may have arrived. */
  readonly isCertain: boolean;

  constructor(refusal: Refusal, reason: string, isCertain: boolean) {
    const isFinal = refusal === 'address' || refusal === 'mail';
    super(
      isFinal ? 'conflict' : 'bad_gateway',
      isFinal ? 'mail_refused' : 'mail_server_failed',
      isFinal
        ? `The mail server refused the mail: ${reason}`
        : `The mail server did not take the mail: ${reason}`,
    );
    this.refusal = refusal;
    this.isCertain = isCertain;
  }
}

/** Sends email. */
export interface MailSender {
  /**
   * Resolves when the mail server has taken it over; throws MailNotSent. `beforeHandover` is waited for when the server has the mail but
   * for its last dot: until then it is nobody's, and if it throws, it never will be.
   */
  send(mail: Mail, beforeHandover?: () => Promise<void>): Promise<void>;
  close(): void;
}
