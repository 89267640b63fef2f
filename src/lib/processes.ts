import os from 'node:os';

/** Whether a process with this id runs on this machine. Also true for a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Process ids are only unique on one machine or in one container. */
const machine = os.hostname().replace(/[^A-Za-z0-9.]/g, '_');

/** `<machine>-<process id>`, for the names of what this process leaves behind when it is killed. */
export const processTag = (): string => `${machine}-${process.pid}`;

/**
 * Whether a tag names an earlier process of this machine. Call it at the start, before creating anything with a tag: this process's own id then
 * belongs to an earlier process, for example before a restart of a container.
 */
export function isTagAbandoned(tag: string): boolean {
  const [host, pid] = tag.split('-');
  return host === machine && (Number(pid) === process.pid || !isAlive(Number(pid)));
}
