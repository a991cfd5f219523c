// A text that is shown once, to copy or to scan. The QR code is drawn with elements; no markup is parsed.
import { encode } from 'uqr'
import { Action, copyText } from '#control-plane/web/lib/controls.tsx'
import { useMemo, useRef, useState } from '#control-plane/web/lib/html.ts'
import { strings } from '#messages/machines/connections.ts'

const words = strings.secret

function Qr({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { size, data } = encode(text, { ecc: 'L', border: 3 })
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { size, path: dark.join('') }
  }, [text])
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

/** `rows`: lines of the field. hasCode: with its QR code */
export function Secret({ text, label, rows = 6, hasCode = true }: { text: string; label: string; rows?: number; hasCode?: boolean }) {
  const field = useRef<HTMLTextAreaElement | null>(null)
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
  return (
    <>
      <label class="field">
        <span>{label}</span>
        <textarea ref={field} class="mono once" readonly rows={rows} value={text} spellcheck={false}></textarea>
      </label>
      <div class="row">
        <Action kind="main" onPress={copy}>
          {words.copy}
        </Action>
        <small>{words.once}</small>
        <strong role="status">{status}</strong>
      </div>
      {hasCode && <Qr text={text} label={words.qr(label)} />}
    </>
  )
}
