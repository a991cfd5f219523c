// @ts-check
// A text that is shown once, to copy or to scan. The QR code is drawn with elements; no markup is parsed.
import { encode } from 'uqr'
import { Action, copyText } from '../../lib/controls.js'
import { html, useMemo, useRef, useState } from '../../lib/html.js'
import { strings } from './strings.js'

const words = strings.secret

/** @param {{ text: string, label: string }} props */
function Qr({ text, label }) {
  const { size, path } = useMemo(() => {
    const { size, data } = encode(text, { ecc: 'L', border: 3 })
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { size, path: dark.join('') }
  }, [text])
  return html`<svg class="qr" viewBox=${`0 0 ${size} ${size}`} role="img" aria-label=${label} shape-rendering="crispEdges">
    <rect width=${size} height=${size} fill="#fff" /><path d=${path} fill="#000" />
  </svg>`
}

/** @param {{ text: string, label: string }} props */
export function Secret({ text, label }) {
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null))
  // Shown here and not as a notice: a modal dialog covers the edge of the page.
  const [status, setStatus] = useState('')
  const copy = async () => {
    try {
      await copyText(text)
      setStatus(words.copied)
    } catch {
      field.current?.select()
      setStatus(words.selected)
    }
  }
  return html`
    <label class="field"><span>${label}</span>
      <textarea ref=${field} class="mono once" readonly rows="6" value=${text} spellcheck="false"></textarea>
    </label>
    <div class="row"><${Action} kind="main" onPress=${copy}>${words.copy}<//><small>${words.once}</small><strong role="status">${status}</strong></div>
    <${Qr} text=${text} label=${words.qr(label)} />`
}
