import type { Binaries } from './binaries.ts';
import { runProgram } from './run-program.ts';

/** INT: fast shutdown. QUIT: immediate shutdown, with recovery at the next start. */
export async function signalServer(binaries: Binaries, pid: number, how: 'INT' | 'QUIT'): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals, so PostgreSQL has a program for them.
    await runProgram(binaries.pgCtl, ['kill', how, String(pid)], null);
    return;
  }
  try {
    process.kill(pid, `SIG${how}`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
