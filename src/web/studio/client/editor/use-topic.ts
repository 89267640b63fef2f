import { Component, type ComponentType, createElement, type FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SurveyContent } from './survey-content.ts';

/** Renders again whenever the topic of the content changes. */
export function useTopic(content: SurveyContent, topic: string): void {
  const [, rerender] = useState({});
  useEffect(() => {
    const unsubscribe = content.subscribe(topic, () => rerender({}));
    // The topic may have changed between rendering and this effect.
    rerender({});
    return unsubscribe;
  }, [content, topic]);
}

/** Renders a component only when one of its properties changes. (The one of preact/compat brings the whole layer for React.) */
export function memo<P extends object>(Inner: FunctionComponent<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const names = new Set([...Object.keys(this.props), ...Object.keys(next)]) as Set<keyof P>;
      return [...names].some((name) => (this.props as P)[name] !== next[name]);
    }

    override render() {
      return createElement(Inner, this.props);
    }
  };
}
