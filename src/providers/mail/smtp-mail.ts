import { Readable } from 'node:stream';
import type { Transporter } from 'nodemailer';
import { type Mail, MailNotSent, type MailSender, type Refusal } from './mail-sender.ts';

const TIMEOUT_MS = 20_000;

interface SmtpSettings {
  /** Maximum number of open connections to the server. */
  connections?: number;
}

/** Opens the connection pool with a package that only servers that send email load. */
async function openTransport(url: string, { connections = 4 }: SmtpSettings): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: connections,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // The content never includes files or remote resources.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // The connection reads the stream after the server has accepted DATA, and sends the final dot when the stream ends.
  transport.use('stream', (mail, done) => {
    const { beforeHandover } = mail.data as { beforeHandover?: () => Promise<void> };
    if (beforeHandover === undefined) return done();
    mail.message.build((error, message) => {
      if (error) return done(error);
      mail.message.createReadStream = () => Readable.from(withHandover(message, beforeHandover));
      done();
    });
  });
  return transport;
}

/** Sends email through an SMTP server. */
export class SmtpMail implements MailSender {
  /** Null before the first email. */
  private transport: Promise<Transporter> | null = null;
  private readonly domain: string;
  private readonly address: string;

  /** `url`: smtp:// or smtps://, with user and password if the server requires them. */
  constructor(
    private readonly url: string,
    private readonly from: string,
    private readonly settings: SmtpSettings = {},
  ) {
    this.address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
    this.domain = /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  }

  async send(mail: Mail, beforeHandover?: () => Promise<void>): Promise<void> {
    const { unsubscribeUrl } = mail;
    try {
      const transport = await (this.transport ??= openTransport(this.url, this.settings));
      await transport.sendMail({
        from: mail.senderName == null ? this.from : { name: mail.senderName, address: this.address },
        to: mail.to,
        subject: mail.subject.replace(/[\r\n]+/g, ' '),
        text: mail.text,
        html: mail.html,
        ...(mail.id === undefined ? {} : { messageId: `<${mail.id}@${this.domain}>` }),
        ...(unsubscribeUrl === undefined
          ? {}
          : {
              headers: {
                'List-Unsubscribe': { prepared: true, foldLines: false, value: `<${unsubscribeUrl}>` },
                'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
                'Auto-Submitted': 'auto-generated',
                Precedence: 'bulk',
              },
            }),
        ...(beforeHandover === undefined ? {} : { beforeHandover }),
      });
    } catch (error) {
      throw toMailNotSent(error);
    }
  }

  close(): void {
    void this.transport?.then((transport) => transport.close());
  }
}

async function* withHandover(message: Buffer, beforeHandover: () => Promise<void>): AsyncGenerator<Buffer> {
  yield message;
  await beforeHandover();
}

interface SmtpError {
  /** The status of the server's reply; absent: no reply. */
  responseCode?: number | false;
  response?: string;
  code?: string;
  command?: string;
  message: string;
}

function toMailNotSent(error: unknown): MailNotSent {
  const { responseCode, response, code, command, message } = error as SmtpError;
  const reason = response ?? message;
  if (typeof responseCode !== 'number') return new MailNotSent('server', reason, false);
  return new MailNotSent(refusalOf(responseCode, code, command), reason, true);
}

/** 5xx rejects the recipient or the message permanently, except for replies about authentication and the sender. */
function refusalOf(status: number, code: string | undefined, command: string | undefined): Refusal {
  if (status === 421 || code === 'EAUTH') return 'server';
  if (status < 500) return 'temporary';
  if (command === 'RCPT TO') return 'address';
  return command === 'DATA' ? 'mail' : 'server';
}
