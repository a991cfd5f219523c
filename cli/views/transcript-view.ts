// A transcript with speakers as text or subtitles. Pure.
import { z } from 'zod'
import { toSrt, toVtt } from '#control-plane/features/listening/recognition/transcript/subtitles.ts'

const Segment = z.object({
  start: z.number().min(0),
  end: z.number().min(0),
  text: z.string().max(1_000_000),
  speaker: z.string().max(64),
})
/** A day of speech has fewer segments. */
const Spoken = z.object({ segments: z.array(Segment).max(1_000_000) })

/** `answer`: `diarized_json` of the public API. `format`: txt, srt or vtt. Each text begins with its speaker, in txt each turn does. */
export function spokenText(answer: unknown, format: string): string {
  const { segments } = Spoken.parse(answer)
  if (format === 'txt') return turns(segments).join('\n\n')
  const named = segments.map(({ speaker, text, ...times }) => ({ ...times, text: `${speaker}: ${text.trim()}` }))
  return format === 'srt' ? toSrt(named) : toVtt(named)
}

/** One text for what one speaker says without another in between. */
function turns(segments: readonly z.output<typeof Segment>[]): string[] {
  const made: { readonly speaker: string; readonly texts: string[] }[] = []
  for (const { speaker, text } of segments) {
    const line = text.trim()
    if (line === '') continue
    const last = made.at(-1)
    if (last?.speaker === speaker) last.texts.push(line)
    else made.push({ speaker, texts: [line] })
  }
  return made.map(({ speaker, texts }) => `${speaker}: ${texts.join(' ')}`)
}
