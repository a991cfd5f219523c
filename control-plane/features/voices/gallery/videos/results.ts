// Reads the output of yt-dlp for a search: one JSON object a line. Pure.
import { z } from 'zod'
import { cleanLine } from '#shared/protocol/fields/clean-text.ts'
import type { VideoResult } from '../gallery.schema.ts'

const TITLE_CHARS = 300
const LONGEST_SECONDS = 360_000
const httpsUrl = z.string().max(2048).startsWith('https://')
const Line = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  title: z.string().min(1),
  duration: z.number().min(0).max(LONGEST_SECONDS).nullish().catch(null),
  thumbnail: httpsUrl.nullish().catch(null),
  thumbnails: z
    .array(z.object({ url: httpsUrl }))
    .max(64)
    .nullish()
    .catch(null),
})

/** Lines that are no video are left out. */
export function videoResults(output: string, most: number): VideoResult[] {
  const results: VideoResult[] = []
  for (const line of output.split('\n')) {
    if (results.length >= most) break
    const result = line.trim() === '' ? null : resultOf(line)
    if (result !== null) results.push(result)
  }
  return results
}

function resultOf(line: string): VideoResult | null {
  try {
    const parsed = Line.safeParse(JSON.parse(line))
    if (!parsed.success) return null
    const { id, title, duration, thumbnail, thumbnails } = parsed.data
    return {
      title: cleanLine(title).slice(0, TITLE_CHARS).toWellFormed(),
      video_id: id,
      duration: duration == null ? null : clockTime(Math.round(duration)),
      thumbnail: thumbnail ?? thumbnails?.at(-1)?.url ?? null,
    }
  } catch {
    return null // no JSON
  }
}

/** 75 seconds as 1:15. */
function clockTime(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
