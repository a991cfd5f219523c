// The picture of a voice, drawn from its id: five bars in one of eight tints, so that it looks the same everywhere.

const BARS = [5, 8.5, 12, 15.5, 19]
const LEAST = 3
const STEPS = 7

/** FNV-1a. */
function hashOf(id: string) {
  let hash = 0x811c9dc5
  for (const sign of id) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

/** Half lengths of the bars, and the tint from 1 to 8. */
export function printOf(id: string) {
  const hash = hashOf(id)
  const lengths = BARS.map((_, at) => LEAST + ((hash >>> (at * 5)) % STEPS))
  return { lengths, tint: (hashOf(`${id} tint`) % 8) + 1 }
}

/** `image`: the portrait, shown in place of the picture */
export function VoicePrint({ id, image = null, isLarge = false }: { id: string; image?: string | null; isLarge?: boolean }) {
  const size = isLarge ? 'large' : 'big'
  if (image !== null)
    return (
      <span class={`kind voice-print ${size}`}>
        <img src={image} alt="" loading="lazy" />
      </span>
    )
  const { lengths, tint } = printOf(id)
  const path = lengths.map((half, at) => `M${BARS[at]} ${12 - half}v${half * 2}`).join('')
  return (
    <span class={`kind voice-print k${tint} ${size}`}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} />
      </svg>
    </span>
  )
}
