import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { componentTexts } from '../../../shared/client/texts.ts';
import { texts } from '../../texts.ts';
import { Waiting } from '../data/query-view.tsx';

/** Returns a component that loads its module when it is first shown. A failed download can be repeated. */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function LazyPage(props: Props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(
      loaded === null ? 'loading' : 'loaded',
    );
    const loadModule = () => {
      setState('loading');
      load().then(
        (component) => {
          loaded = component;
          setState('loaded');
        },
        () => setState('failed'),
      );
    };
    useEffect(() => {
      if (loaded === null) loadModule();
    }, []);
    if (loaded !== null) {
      const Page = loaded;
      return <Page {...props} />;
    }
    if (state !== 'failed') return <Waiting />;
    return (
      <div class="blank" role="alert">
        <p class="title">{texts.shell.notLoaded}</p>
        <p>{componentTexts.unreachable}</p>
        <button type="button" class="button" onClick={loadModule}>
          {componentTexts.tryAgain}
        </button>
      </div>
    );
  };
}
