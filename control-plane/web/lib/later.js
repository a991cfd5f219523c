// @ts-check
// Views whose modules are loaded when they are shown first, and pages that may fail.
import { at } from '../at.js'
import { Component, html, useLayoutEffect, useState } from './html.js'
import { strings } from './strings.js'

/** @import { ComponentChildren, FunctionComponent } from 'preact' */
/** @import { Address } from '../frame/address.js' */
/** @typedef {{ address: Address, children: ComponentChildren }} BoundaryProps */

/** Whether the studio answers. */
const isReachable = () =>
  fetch(at('/')).then(
    ({ ok }) => ok,
    () => false,
  )

/** What a first view does not need is loaded this long after it has begun. */
export const LATER_MS = 2000

/**
 * A view, and the way to load it before it is shown.
 * @param {() => Promise<FunctionComponent<any>>} load
 * @param {{ isQuiet?: boolean, isSoon?: boolean }} [options] isQuiet: nothing is shown meanwhile. isSoon: loaded after the first view, so that it opens at
 *   once, also without a connection
 */
export function whenOpened(load, { isQuiet = false, isSoon = false } = {}) {
  let loaded = /** @type {FunctionComponent<any> | null} */ (null)
  const prefetch = async () => {
    loaded ??= await load()
  }
  /** @type {FunctionComponent<any>} */
  const View = (props) => {
    const [{ isLoaded, isFailed }, set] = useState({ isLoaded: loaded !== null, isFailed: false })
    const read = () => {
      set({ isLoaded: false, isFailed: false })
      prefetch().then(
        () => set({ isLoaded: true, isFailed: false }),
        () => set({ isLoaded: false, isFailed: true }),
      )
    }
    // Browsers keep the failure of a module as long as the page is open: Chromium 150 asks for it no second time.
    const again = async () => {
      if (await isReachable()) location.reload()
    }
    useLayoutEffect(() => void (isLoaded || read()), [])
    if (isLoaded && loaded) return html`<${loaded} ...${props} />`
    if (!isFailed) return isQuiet ? null : html`<p class="empty">${strings.loading}</p>`
    return html`<p class="callout bad" role="alert">${strings.unreachable} <button type="button" onClick=${again}>${strings.tryAgain}</button></p>`
  }
  const quietly = () => prefetch().catch(() => {})
  if (isSoon && globalThis.document) setTimeout(quietly, LATER_MS)
  return { View, prefetch: quietly }
}

/**
 * Keeps the frame when a page fails while it is drawn. Another address is another attempt.
 * @extends {Component<BoundaryProps, { error: unknown }>}
 */
export class Boundary extends Component {
  /** @override @type {{ error: unknown }} */
  state = { error: null }

  /** @override @param {unknown} error */
  static getDerivedStateFromError(error) {
    return { error }
  }

  /** @override @param {unknown} error */
  componentDidCatch(error) {
    console.error(error)
  }

  /** @override @param {BoundaryProps} before */
  componentDidUpdate(before) {
    if (this.state.error !== null && before.address !== this.props.address) this.setState({ error: null })
  }

  /** @override */
  render() {
    if (this.state.error === null) return this.props.children
    return html`<div class="callout bad text" role="alert"><p><strong>${strings.pageFailed}</strong> ${strings.pageFailedHint}</p>
      <p class="soft text clip">${String(this.state.error)}</p>
      <div class="row"><button type="button" onClick=${() => location.reload()}>${strings.reload}</button><a class="button" href="#/">${strings.goHome}</a></div></div>`
  }
}
