/** One mail to one person. */
export interface Mail {
  to: { name: string; address: string };
  /** A single line; line breaks in it become spaces. */
  subject: string;
  text: string;
  html: string;
}

/** Where mail goes out. */
export interface MailSender {
  /** Resolves when the mail server has taken it over. A refusal that is final is a `conflict`, one that may pass is `bad_gateway`. */
  send(mail: Mail): Promise<void>;
  close(): void;
}
