import { type Mail, MailNotSent, type MailSender, type Refusal } from './mail-sender.ts';

/** What became of the emails that this process handed to the mail server. */
export type MailOutcome = 'accepted' | Refusal;

/**
 * Counts outcomes, and reports when the mail server stops accepting emails and when it accepts them again. An email that it rejects because
 * of its recipient or content says nothing about the others.
 */
export class WatchedMail implements MailSender {
  readonly outcomes: Record<MailOutcome, number> = {
    accepted: 0,
    address: 0,
    mail: 0,
    temporary: 0,
    server: 0,
  };
  /** Why the server does not accept emails; null: it does, or was not tried yet. */
  problem: string | null = null;

  /** `onChange` is called once for each change, with the problem or null. */
  constructor(
    private readonly sender: MailSender,
    private readonly onChange: (problem: string | null) => void,
  ) {}

  async send(mail: Mail, beforeHandover?: () => Promise<void>): Promise<void> {
    // Then the mail server is not the cause.
    let isStoppedByCaller = false;
    const watchedHandover = async () => {
      try {
        await beforeHandover?.();
      } catch (error) {
        isStoppedByCaller = true;
        throw error;
      }
    };
    try {
      await this.sender.send(mail, beforeHandover && watchedHandover);
    } catch (error) {
      if (error instanceof MailNotSent && !isStoppedByCaller) {
        this.outcomes[error.refusal] += 1;
        if (error.refusal === 'server') this.setProblem(error.message);
      }
      throw error;
    }
    this.outcomes.accepted += 1;
    this.setProblem(null);
  }

  close(): void {
    this.sender.close();
  }

  private setProblem(problem: string | null): void {
    const hasChanged = (this.problem === null) !== (problem === null);
    this.problem = problem;
    if (hasChanged) this.onChange(problem);
  }
}
