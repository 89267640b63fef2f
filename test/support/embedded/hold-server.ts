/**
 * A process that holds an embedded database: `hold-server.ts <dataDir> [ends-with-process]`. It prints one line of JSON, either
 * {url, notes} or {refused}, and stops the database when its standard input ends.
 */
import { startEmbedded } from '../../../src/db/embedded/embedded-server.ts';

const [dataDir, how] = process.argv.slice(2);
if (!dataDir) throw new Error('Which DATA_DIR?');

try {
  const server = await startEmbedded({
    dataDir,
    durable: false,
    endsWithProcess: how === 'ends-with-process',
  });
  process.stdin.once('end', () => void server.stop().then(() => process.exit(0)));
  process.stdin.resume();
  console.log(JSON.stringify({ url: server.url, notes: server.notes }));
} catch (error) {
  console.log(JSON.stringify({ refused: error instanceof Error ? error.message : String(error) }));
}
