import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { whenPhotosShown } from '../lib/first-render.ts'
import { loadWhenOnline } from '../lib/load-failure.ts'

interface OptionalPartProps {
  children: ReactNode
  waiting?: ReactNode
}

/** Content of an `OptionalPart`; without a connection it loads with the next one. */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(() => loadWhenOnline(async () => ({ default: await load() })))
}

/** The same for what nobody misses before they see the first photos. */
export function latePart<P>(load: () => Promise<ComponentType<P>>) {
  return lazyPart(() => whenPhotosShown().then(load))
}

/** Wraps a part that the page can do without: renders nothing if it cannot be loaded, and nothing or `waiting` while it loads. */
export class OptionalPart extends Component<OptionalPartProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? null : <Suspense fallback={this.props.waiting}>{this.props.children}</Suspense>
  }
}
