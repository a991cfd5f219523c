// The lines that are sent to the studio to be spoken. Pure.
import type { Line, StoredDub, StoredLine } from './lines.ts'

/**
 * Lines that a press on one line speaks: it gets a new take, or its first one, and lines that changed are spoken with it. Returns missing:
 * lines without a text, which would be silent
 */
export function speechFor(
  lines: readonly Line[],
  line: Line,
  hasTrack: boolean,
): { count: number; missing: number; again: readonly string[] | null } {
  const isAgain = line.state === 'spoken' || line.state === 'failed'
  const changed = lines.filter(({ state }) => state === 'changed' || state === 'ready').length
  return {
    count: hasTrack ? changed + (isAgain ? 1 : 0) : lines.length,
    missing: lines.filter(({ target }) => target.trim() === '').length,
    again: isAgain ? [line.id] : null,
  }
}

/** A request to speak. `again`: lines that get a new take; null speaks what changed */
export const speechRequest = (
  lines: readonly Line[],
  { code, name, strategy, again }: { code: string; name: string; strategy: string; again: readonly string[] | null },
) => ({
  segments: lines.map(({ id, start, end, target, speaker, voice }) => ({
    id,
    start,
    end,
    text: target,
    speaker_id: speaker || null,
    profile_id: voice,
  })),
  language: name,
  language_code: code,
  timing_strategy: strategy as 'concise',
  ...(again && { regen_only: [...again] }),
})

/** The lines for the studio, if they differ from those that it has; null if they do not. */
export function linesToStore({ segments }: StoredDub, lines: readonly Line[]) {
  const isSame =
    segments?.length === lines.length &&
    lines.every((line, index) => {
      const stored = segments[index] as StoredLine
      return (
        String(stored.id) === line.id &&
        stored.start === line.start &&
        stored.end === line.end &&
        (stored.text_original || stored.text) === line.source &&
        stored.speaker_id === line.speaker &&
        (stored.profile_id ?? '') === line.voice
      )
    })
  if (isSame) return null
  return lines.map(({ id, start, end, source, speaker, voice }) => ({
    id,
    start,
    end,
    text: source,
    speaker_id: speaker,
    profile_id: voice,
  }))
}
