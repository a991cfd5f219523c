// @ts-check
// A page that fails while it is drawn takes nothing else with it: the frame stays, and another address is another try.
import { Component, html } from '../lib/html.js'
import { strings } from './strings.js'

/** @import { ComponentChildren } from 'preact' */
/** @import { Address } from './address.js' */
/** @typedef {{ address: Address, children: ComponentChildren }} Props */

/** @extends {Component<Props, { error: unknown }>} */
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

  /** @override @param {Props} before */
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
