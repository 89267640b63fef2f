import { type Download, downloadResponses } from './support/download.ts';
import { FIFTY_COLUMNS, fiftyColumns } from './support/fifty-columns.ts';
import { amount, short, type Figure, withinLimit } from './support/figure.ts';
import { interleaved, median, medianRatio, medianTime } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';

const ROUNDS = 3;
const MEGABYTE = 1_000_000;

type Format = 'csv' | 'spss' | 'xlsx';

/** The same 50 columns of 100,000 responses as a system file and as a workbook, against the CSV file. */
export async function exports(testBed: TestBed): Promise<Figure[]> {
  // A separate process for each export, so that none profits from memory that another has allocated.
  const servers = { csv: await testBed.api(), spss: await testBed.api(), xlsx: await testBed.api() };
  const surveyId = await fiftyColumns(testBed, servers.csv);
  const downloads: Record<Format, Download[]> = { csv: [], spss: [], xlsx: [] };
  const measured = (format: Format) => async () => {
    const one = await downloadResponses(testBed, servers[format], surveyId, {
      format,
      columns: FIFTY_COLUMNS,
    });
    downloads[format].push(one);
    return one.milliseconds;
  };
  const times = await interleaved(ROUNDS, {
    csv: measured('csv'),
    spss: measured('spss'),
    xlsx: measured('xlsx'),
  });
  const figures = (format: Format, target: Figure['target'], growthMegabytes: number): Figure[] => {
    // Includes the first round, which also loads the survey's rows into the dataset.
    const strains = downloads[format].map(({ strain }) => strain);
    const growth = Math.max(...strains.map(({ memoryGrowthBytes }) => memoryGrowthBytes)) / MEGABYTE;
    const delay = median(strains.map(({ delayP99Ms }) => delayP99Ms));
    const longest = Math.max(...strains.map(({ delayMaxMs }) => delayMaxMs));
    const size = downloads[format][0]!.bytes / MEGABYTE;
    return [
      {
        what: `Export of 100,000 x 50 as ${format} (${short(size)} MB)`,
        ours: medianTime(times[format]),
        yardstick: medianTime(times.csv),
        against: 'as csv',
        ratio: medianRatio(times[format], times.csv),
        target,
      },
      withinLimit(
        `Growth of the server's memory during the run, ${format}`,
        amount(growth, 'MB'),
        growthMegabytes,
      ),
      withinLimit(
        `Delay of the server's event loop during the run (p99), ${format}`,
        amount(delay, 'ms', `longest ${short(longest)} ms`),
        50,
      ),
    ];
  };
  return [...figures('spss', { atMost: 3 }, 100), ...figures('xlsx', null, 200)];
}
