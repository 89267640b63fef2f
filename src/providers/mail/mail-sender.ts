import { AppError } from '../../lib/errors.ts';

/** An email to one recipient. */
export interface Mail {
  to: { name: string; address: string };
  /** The name of the sender; absent or null: that of the installation. */
  senderName?: string | null;
  /** A single line; line breaks in it become spaces. */
  subject: string;
  text: string;
  html: string;
  /** The part of the Message-ID before the @; absent: random. */
  id?: string;
  /** For bulk email: adds the headers for one-click unsubscribing (RFC 8058) and against automatic replies. */
  unsubscribeUrl?: string;
}

/**
 * Why an email was not sent. `address`: the server permanently rejected the recipient; `mail`: it permanently rejected the message;
 * `temporary`: a later attempt may succeed; `server`: the server is unreachable or refuses all emails.
 */
export type Refusal = 'address' | 'mail' | 'temporary' | 'server';

export class MailNotSent extends AppError {
  constructor(
    readonly refusal: Refusal,
    reason: string /** The server replied. Without a reply, an email that was handed over may have been delivered. */,
    readonly isCertain: boolean,
  ) {
    const isFinal = refusal === 'address' || refusal === 'mail';
    super(
      isFinal ? 'conflict' : 'bad_gateway',
      isFinal ? 'mail_refused' : 'mail_server_failed',
      isFinal
        ? `The mail server rejected the email: ${reason}`
        : `The mail server did not accept the email: ${reason}`,
    );
  }
}

/** Sends email. */
export interface MailSender {
  /**
   * Resolves when the mail server has accepted the email; throws MailNotSent. `beforeHandover` runs after the content is sent, before the
   * final dot of the SMTP transaction: until then the server does not deliver the email, and it never does if `beforeHandover` throws.
   */
  send(mail: Mail, beforeHandover?: () => Promise<void>): Promise<void>;
  close(): void;
}
