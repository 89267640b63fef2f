import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export const projectRoot = fileURLToPath(new URL('../../..', import.meta.url));

const replySchema = z.union([
  z.object({ url: z.string(), notes: z.array(z.string()) }),
  z.object({ refused: z.string() }),
]);

export interface ServerProcess {
  pid: number;
  /** What came of the start. */
  reply: Promise<z.infer<typeof replySchema>>;
  /** Ends it in order and waits. */
  end(): Promise<void>;
  /** Kills the process like a crash: no handler of it runs. */
  kill(): Promise<void>;
}

/** Another process that starts, and then holds, the database of a DATA_DIR; `program`: hold-server.ts, as words after `node`. */
export function startServerProcess(
  program: readonly string[],
  dataDir: string,
  account?: { uid: number; gid: number },
  options: readonly string[] = [],
): ServerProcess {
  const child = spawn(process.execPath, [...program, dataDir, ...options], {
    cwd: projectRoot,
    stdio: ['pipe', 'pipe', 'inherit'],
    ...account,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('The process did not start');
  // Ending a process that was killed finds the pipe closed.
  child.stdin.on('error', () => undefined);
  return {
    pid,
    reply: firstLine(child).then((line) => replySchema.parse(JSON.parse(line))),
    end: () => {
      child.stdin.end();
      return hasEnded(child);
    },
    kill: () => {
      child.kill('SIGKILL');
      return hasEnded(child);
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('No standard output');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('The process ended without a word');
}

async function hasEnded(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
