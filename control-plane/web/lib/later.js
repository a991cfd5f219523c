// @ts-check
// Views whose modules are loaded when they are shown first.
import { html, useEffect, useState } from './html.js'
import { strings } from './strings.js'

/** @import { FunctionComponent } from 'preact' */

/** Whether the studio answers. */
const isReachable = () =>
  fetch('/').then(
    ({ ok }) => ok,
    () => false,
  )

/**
 * A view, and the way to load it before it is shown.
 * @param {() => Promise<FunctionComponent<any>>} load
 * @param {{ isQuiet?: boolean }} [look] isQuiet: nothing is shown meanwhile
 */
export function whenOpened(load, { isQuiet = false } = {}) {
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
    useEffect(() => void (isLoaded || read()), [])
    if (isLoaded && loaded) return html`<${loaded} ...${props} />`
    if (!isFailed) return isQuiet ? null : html`<p class="empty">${strings.loading}</p>`
    return html`<p class="callout bad" role="alert">${strings.unreachable} <button type="button" onClick=${again}>${strings.tryAgain}</button></p>`
  }
  return { View, prefetch: () => void prefetch().catch(() => {}) }
}
