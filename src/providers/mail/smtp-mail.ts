import { createTransport, type Transporter } from 'nodemailer';
import { AppError } from '../../lib/errors.ts';
import type { Mail, MailSender } from './mail-sender.ts';

const TIMEOUT_MS = 20_000;

/** Hands mail to an SMTP server. */
export class SmtpMail implements MailSender {
  private readonly transport: Transporter;
  private readonly from: string;

  /** `url`: smtp:// or smtps://, with user and password where the server asks for them. */
  constructor(url: string, from: string) {
    this.from = from;
    this.transport = createTransport({
      url,
      pool: true,
      maxConnections: 2,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // What a mail says is ours; nothing of it is read from files or fetched.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send(mail: Mail): Promise<void> {
    try {
      await this.transport.sendMail({
        from: this.from,
        to: mail.to,
        subject: mail.subject.replace(/[\r\n]+/g, ' '),
        text: mail.text,
        html: mail.html,
      });
    } catch (error) {
      throw refusal(error);
    }
  }

  close(): void {
    this.transport.close();
  }
}

/** 5xx of SMTP is final; everything else, a server that is away included, may pass. */
function refusal(error: unknown): AppError {
  const { responseCode, code, message } = error as { responseCode?: number; code?: string; message: string };
  if (responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH')
    return new AppError('conflict', 'mail_refused', `The mail server refused the mail: ${message}`);
  return new AppError(
    'bad_gateway',
    'mail_server_failed',
    `The mail server did not take the mail: ${message}`,
  );
}
