import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ENDS_WITHIN_MS = 15_000;

/** A separate server process that shares nothing with the load generator. */
export interface Child {
  url: string;
  /** Sends a message over the process channel; the child answers each message with one. */
  ask<Reply>(message: string): Promise<Reply>;
  end(): Promise<void>;
}

/** `script` is relative to this folder's parent. It sends `{ url }` once it listens. */
export async function startChild(
  script: string,
  environment: Record<string, string> = {},
  nodeFlags: readonly string[] = [],
): Promise<Child> {
  const file = fileURLToPath(new URL(`../${script}`, import.meta.url));
  const child = fork(file, {
    execArgv: ['--import', 'tsx', ...nodeFlags],
    env: { ...process.env, ...environment },
  });
  const { url } = await reply<{ url: string }>(child);
  return {
    url,
    ask<Reply>(message: string) {
      const answer = reply<Reply>(child);
      child.send(message);
      return answer;
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      const timer = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(timer);
    },
  };
}

async function reply<Reply>(child: ChildProcess): Promise<Reply> {
  const over = new AbortController();
  const { signal } = over;
  try {
    const ended = once(child, 'exit', { signal }).then(() => {
      throw new Error('A server of the bench ended unexpectedly');
    });
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [Reply];
    ended.catch(() => undefined);
    return message;
  } finally {
    over.abort();
  }
}
