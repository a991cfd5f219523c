// A text that is shown once: to copy, or to photograph. The picture is made of elements; no markup is parsed.
import { encode } from 'uqr'
import { html, useMemo, useRef, useState } from '../html.js'
import { Action } from './basics.js'

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

export function Secret({ text, label }) {
  const ref = useRef(null)
  // Said here and not at the edge of the page, which a modal window covers.
  const [said, setSaid] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied.')
    } catch {
      // Without a secure context there is no clipboard to write to: the text is selected, and the person copies it.
      ref.current.select()
      setSaid('It is selected now: copy it with your keyboard.')
    }
  }
  return html`
    <label class="field"><span>${label}</span>
      <textarea ref=${ref} class="mono once" readonly rows="6" value=${text} spellcheck="false"></textarea>
    </label>
    <div class="row"><${Action} kind="main" onPress=${copy}>Copy<//><small>It is shown now and never again.</small><strong role="status">${said}</strong></div>
    <${Qr} text=${text} label=${`${label} as a QR code`} />`
}
