// @ts-check
// The newest lines of the studio's log.
import { get, messageOf, post } from '../../lib/api.js'
import { Action } from '../../lib/controls.js'
import { html, useState } from '../../lib/html.js'
import { strings } from './strings.js'

const words = strings.log

export function LogLines() {
  const [{ lines, error }, set] = useState({ lines: /** @type {readonly string[] | null} */ (null), error: '' })
  const read = async () => {
    try {
      set({ lines: (await get('/system/logs?tail=200')).lines, error: '' })
    } catch (failure) {
      set((now) => ({ ...now, error: messageOf(failure) }))
    }
  }
  const clear = async () => {
    await post('/system/logs/clear', {})
    await read()
  }
  return html`${error && html`<p class="callout bad text" role="alert">${error}</p>`}
    ${lines !== null && html`<pre class="code log" tabindex="0" aria-label=${words.lines}>${lines.length > 0 ? lines.join('') : words.empty}</pre>`}
    <div class="row"><${Action} onPress=${read}>${lines === null ? words.show : words.again}<//>${lines !== null && html`<${Action} kind="quiet" onPress=${clear}>${words.clear}<//>`}</div>`
}
