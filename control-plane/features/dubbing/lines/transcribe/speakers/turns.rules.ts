// The turns of the speakers of a film, which is identified in parts.

import { z } from 'zod'
import { SpeakerTurn, SpeakerVoice } from '#shared/operations/diarize.ts'
import { type FailureCode, isFailureCode } from '#shared/protocol/failure.ts'
import type { PartSpan } from '../parts.rules.ts'
import { type LocalVoice, voicesBySpeaker } from './voices.rules.ts'

/** Turns of one part, in seconds from its start, or the reason why its speakers were not identified. */
export const PartTurns = z.union([
  z.object({ turns: z.array(SpeakerTurn), voices: z.array(SpeakerVoice) }),
  z.object({ why: z.string(), code: z.custom<FailureCode>((code) => typeof code === 'string' && isFailureCode(code)) }),
])
export type PartTurns = z.output<typeof PartTurns>

/** Parts of equal length, none longer than `most` seconds, cut where the film is cut for the recogniser: in pauses. Pure. */
export function speakerParts(film: readonly PartSpan[], seconds: number, most: number): PartSpan[] {
  const longest = Math.max(...film.map(({ from, to }) => to - from))
  const wanted = seconds <= most ? seconds : seconds / Math.ceil(seconds / (most - longest))
  const parts: PartSpan[] = []
  let from = 0
  for (const { to } of film)
    if (to === seconds || to >= wanted * (parts.length + 1)) {
      parts.push({ from, to })
      from = to
    }
  return parts
}

/**
 * The turns of the whole film, in order, with speakers numbered in the order of their first words. A film of one part keeps its speakers. In
 * several parts, a speaker without a voice vector has no turn: the lines get the speaker of the nearest turn.
 */
export async function filmTurns(
  spans: readonly PartSpan[],
  parts: readonly PartTurns[],
  wanted: number | null,
  signal: AbortSignal,
): Promise<SpeakerTurn[]> {
  const nameOf = spans.length === 1 ? (_: number, speaker: number) => speaker : await joined(parts, wanted, signal)
  const turns = parts.flatMap((part, recording) =>
    ('turns' in part ? part.turns : []).flatMap(({ start, end, speaker }) => {
      const film = nameOf(recording, speaker)
      const { from } = spans[recording]!
      return film === undefined ? [] : [{ start: from + start, end: from + end, speaker: film }]
    }),
  )
  const numbers = new Map<number, number>()
  return turns
    .toSorted((one, other) => one.start - other.start)
    .map((turn) => {
      const number = numbers.get(turn.speaker) ?? numbers.size
      numbers.set(turn.speaker, number)
      return { ...turn, speaker: number }
    })
}

async function joined(parts: readonly PartTurns[], wanted: number | null, signal: AbortSignal) {
  const voices = parts.flatMap((part, recording): LocalVoice[] =>
    ('voices' in part ? part.voices : []).map((voice) => ({ ...voice, recording })),
  )
  const speakers = await voicesBySpeaker(voices, wanted, signal)
  const names = new Map(
    speakers.flatMap((members, film) => members.map(({ recording, speaker }) => [`${recording} ${speaker}`, film] as const)),
  )
  return (recording: number, speaker: number): number | undefined => names.get(`${recording} ${speaker}`)
}
