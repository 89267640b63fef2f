import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  readonly url: string;
  /** What arrived, in that order. */
  readonly mails: Email[];
  /** The next mail refused with this SMTP status. */
  refuseNext(status: number): void;
  close(): Promise<void>;
}

/** A real SMTP server on loopback; the mails are read by a library that has nothing to do with how they were written. */
export async function startMailServer(): Promise<MailServer> {
  const mails: Email[] = [];
  let refusal: number | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      const status = refusal;
      refusal = null;
      if (status === null) return done();
      done(Object.assign(new Error('Refused by the test'), { responseCode: status }));
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          mails.push(mail);
          done();
        }, done);
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuseNext: (status) => {
      refusal = status;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
