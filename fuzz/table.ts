import type { Tried } from './fuzzer.ts';
import { FAMILIES } from './requests/draft.ts';

interface Line {
  requests: number;
  statuses: Map<string, number>;
  stallMs: number;
  findings: number;
}

/** What came of all requests, by how hostile they were and by what of the API they were about. */
export class Table {
  private readonly lines = new Map<string, Line>();
  private longest: { ms: number; by: string } = { ms: 0, by: 'none' };

  add({ family, of, request, status, stallMs, findings }: Tried): void {
    for (const name of [`${family}|${of}`, `${family}|all`]) {
      const line = this.line(name);
      const code = status === null ? 'none' : String(status);
      line.requests += 1;
      line.findings += findings;
      line.statuses.set(code, (line.statuses.get(code) ?? 0) + 1);
      line.stallMs = Math.max(line.stallMs, stallMs);
    }
    if (stallMs > this.longest.ms) this.longest = { ms: stallMs, by: request };
  }

  private line(name: string): Line {
    const known = this.lines.get(name);
    if (known !== undefined) return known;
    const summary = { requests: 0, statuses: new Map<string, number>(), stallMs: 0, findings: 0 };
    this.lines.set(name, summary);
    return summary;
  }

  print(): string {
    const rows = [['family', 'of', 'requests', 'longest stall', 'findings', 'statuses']];
    for (const family of FAMILIES)
      for (const [name, line] of [...this.lines].sort(([one], [other]) => one.localeCompare(other))) {
        const [of, about] = name.split('|');
        if (of !== family) continue;
        const statuses = [...line.statuses].sort().map(([status, count]) => `${status}×${count}`);
        const stall = line.stallMs === 0 ? '-' : `${Math.round(line.stallMs)} ms`;
        rows.push([family, about!, String(line.requests), stall, String(line.findings), statuses.join(' ')]);
      }
    const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
    const text = rows.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
    return [...text, '', `Longest stall: ${Math.round(this.longest.ms)} ms, by ${this.longest.by}`].join(
      '\n',
    );
  }
}
