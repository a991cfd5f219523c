// One mark a sentence below the waveform: the sounding one and those whose words were changed stand out, and a press plays from there.
import { useMemo } from '#control-plane/web/lib/html.ts'
import type { Sentence } from '../speak-text/sentences.ts'
import { soundingAt } from '../speak-text/sentences.ts'
import type { PartsOfTake } from '../speak-text/take-parts.ts'

const WIDTH = 1000
/** Between marks, in thousandths of the strip. */
const GAP = 4

/** `at`, `length`: seconds */
export function SentenceStrip({
  parts: { take, compared },
  at,
  length,
  onSeek,
}: {
  parts: PartsOfTake
  at: number
  length: number
  onSeek: (at: number) => void
}) {
  const rows = take?.parts ?? []
  const line = ({ start, end }: Sentence) => {
    const [from, to] = [(start / length) * WIDTH, (end / length) * WIDTH - GAP]
    return `M${from.toFixed(1)} 1.5H${Math.max(from + 1, to).toFixed(1)}`
  }
  const [same, changed] = useMemo(() => {
    if (length === 0) return ['', '']
    const kept = compared && new Set(compared.stretches.map(({ sentence }) => sentence))
    const isKept = (one: Sentence) => !kept || kept.has(one)
    return [
      rows.filter(isKept).map(line).join(''),
      rows
        .filter((one) => !isKept(one))
        .map(line)
        .join(''),
    ]
  }, [take, compared, length])
  const sounding = at > 0 && length > 0 ? soundingAt(rows, at) : null
  const press = ({ offsetX, currentTarget }: MouseEvent) => {
    if (!(currentTarget instanceof SVGElement) || length === 0) return
    const sentence = soundingAt(rows, (offsetX / currentTarget.clientWidth) * length)
    if (sentence) onSeek(sentence.start)
  }
  return (
    <svg class="sentence-strip" viewBox={`0 0 ${WIDTH} 3`} preserveAspectRatio="none" aria-hidden="true" onClick={press}>
      <path d={same} />
      <path class="changed" d={changed} />
      {sounding && <path class="sounding" d={line(sounding)} />}
    </svg>
  )
}
