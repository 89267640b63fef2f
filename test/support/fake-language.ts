import { afterAll, beforeAll } from 'vitest';
import { type FakeLanguageServer, startFakeLanguageServer } from './fake-language-server.ts';

/** Call at the top of a test file, before the application: a language model's server of the file's own. */
export function useFakeLanguage(): FakeLanguageServer & { settings: () => Record<string, string> } {
  let fake: FakeLanguageServer | null = null;
  beforeAll(async () => {
    fake = await startFakeLanguageServer();
  });
  afterAll(() => fake?.close());
  const ready = () => {
    if (fake === null) throw new Error('The language model is there only while tests run');
    return fake;
  };
  return {
    get url() {
      return ready().url;
    },
    get requests() {
      return ready().requests;
    },
    get maxConcurrent() {
      return ready().maxConcurrent;
    },
    reply: (script) => ready().reply(script),
    reset: () => ready().reset(),
    close: () => ready().close(),
    /** For `useApp`. */
    settings: () => ({ OPENAI_API_KEY: 'sk-of-tests', OPENAI_BASE_URL: ready().url }),
  };
}
