// Views whose modules are loaded when they are shown first, and pages that may fail.

import type { ComponentChildren, FunctionComponent } from 'preact'
import { strings } from '#messages/shared.ts'
import { at } from '../at.ts'
import type { Address } from '../frame/address.ts'
import { Component, useCallback, useEffect, useLayoutEffect, useRef, useState } from './html.ts'
import { useAgainAfterFailure } from './read.ts'

export type BoundaryProps = { address: Address; children: ComponentChildren }

/** True if the studio answers. */
const isReachable = () =>
  fetch(at('/')).then(
    ({ ok }) => ok,
    () => false,
  )

const keeping: Set<() => boolean> = new Set()
/** For work that belongs to the tab and that a reload would end, such as files on their way. `hasWork`: true while there is some */
export const keepTab = (hasWork: () => boolean) => void keeping.add(hasWork)
/** Not while the tab has work, for then a person decides, and not once another page is shown. */
const reloadUnlessKept = async (isShown: () => boolean) => {
  if ((await isReachable()) && isShown() && ![...keeping].some((hasWork) => hasWork())) location.reload()
}

/** Milliseconds after the start of a first view until the rest is loaded. */
export const LATER_MS = 2000

/**
 * A view, and the way to load it before it is shown. `isQuiet`: nothing is shown meanwhile. isSoon: loaded after the first view, so that
 * it opens at once, also without a connection
 */
export function whenOpened<P extends object>(
  load: () => Promise<FunctionComponent<P>>,
  { isQuiet = false, isSoon = false }: { isQuiet?: boolean; isSoon?: boolean } = {},
) {
  let loaded = null as FunctionComponent<P> | null
  const prefetch = async () => {
    loaded ??= await load()
  }
  const View: FunctionComponent<P> = (props) => {
    const [{ isLoaded, isFailed }, set] = useState({ isLoaded: loaded !== null, isFailed: false })
    const read = () => {
      set({ isLoaded: false, isFailed: false })
      prefetch().then(
        () => set({ isLoaded: true, isFailed: false }),
        () => set({ isLoaded: false, isFailed: true }),
      )
    }
    // Browsers keep what a module throws while it is evaluated as long as the page is open.
    const again = async () => {
      if (await isReachable()) location.reload()
    }
    useLayoutEffect(() => void (isLoaded || read()), [])
    // A page only: beside another view there may be work that a reload would end.
    const isShown = useRef(true)
    useEffect(
      () => () => {
        isShown.current = false
      },
      [],
    )
    const reload = useCallback(() => reloadUnlessKept(() => isShown.current), [])
    useAgainAfterFailure(isFailed && 'activeJobs' in props, reload)
    const Loaded = loaded
    if (isLoaded && Loaded) return <Loaded {...props} />
    if (!isFailed) return isQuiet ? null : <p class="empty">{strings.loading}</p>
    return (
      <p class="callout bad" role="alert">
        {strings.unreachable}{' '}
        <button type="button" onClick={again}>
          {strings.tryAgain}
        </button>
      </p>
    )
  }
  const quietly = () => prefetch().catch(() => {})
  if (isSoon && globalThis.document) setTimeout(quietly, LATER_MS)
  return { View, prefetch: quietly }
}

/** Keeps the frame when a page fails while it is drawn. Another address is another attempt. */
export class Boundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static override getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    console.error(error)
  }

  override componentDidUpdate(before: BoundaryProps) {
    if (this.state.error !== null && before.address !== this.props.address) this.setState({ error: null })
  }

  override render() {
    if (this.state.error === null) return this.props.children
    return (
      <div class="callout bad text" role="alert">
        <p>
          <strong>{strings.pageFailed}</strong> {strings.pageFailedHint}
        </p>
        <p class="soft text clip">{String(this.state.error)}</p>
        <div class="row">
          <button type="button" onClick={() => location.reload()}>
            {strings.reload}
          </button>
          <a class="button" href="#/">
            {strings.goHome}
          </a>
        </div>
      </div>
    )
  }
}
