import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { loadWhenOnline } from '../lib/load-failure.ts'

interface OptionalPartProps {
  children: ReactNode
  waiting?: ReactNode
}

/** What stands in an `OptionalPart`: without a connection it comes with the next one. */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(() => loadWhenOnline(async () => ({ default: await load() })))
}

/** Around what the page can do without: if it cannot be loaded there is nothing in its place, and while it loads nothing or `waiting`. */
export class OptionalPart extends Component<OptionalPartProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? null : <Suspense fallback={this.props.waiting}>{this.props.children}</Suspense>
  }
}
