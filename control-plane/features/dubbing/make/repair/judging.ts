// Scores takes as they were spoken, before they are fitted into the film.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { repeatedPhrase } from '#control-plane/features/dubbing/lines/transcribe/loops.rules.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { TakeFiles } from '#control-plane/features/dubbing/voice/speak/take-files.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { characterError } from '../qc/rules/drift.rules.ts'
import { foundLanguage, languageOfDub } from '../qc/rules/language.rules.ts'
import { shareOf } from '../qc/rules/report.rules.ts'
import type { CheckedSound, Understand } from '../qc/understand.ts'
import { TakeScore } from './repair.rules.ts'

export const JudgedTake = z.object({ id: z.string(), key: z.string(), score: TakeScore })
export type JudgedTake = z.output<typeof JudgedTake>
export type JudgedLine = {
  readonly id: string
  readonly key: string
  readonly text: string
  readonly slotUs: number
  readonly roomUs: number
}
type Deps = { readonly core: Pick<DubCore, 'files'>; readonly takeFiles: Pick<TakeFiles, 'find'>; readonly understand: Understand }

/** No sound at all: that no take was made is a result, too. */
const SILENT: TakeScore = { isSilent: true, isOtherLanguage: false, isRepeated: false, characterError: null, filled: 0, need: 0 }

export function createJudging({ core: { files }, takeFiles, understand }: Deps) {
  /** Null for a take whose file is gone. */
  async function soundOf(digest: string): Promise<CheckedSound | null> {
    const bytes = await readFile(files.pathOf(digest)).catch(() => null)
    if (!bytes) return null
    const { samples, sampleRate } = parseWav(bytes)
    const whole = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
    return { sampleRate, read: async (from, frames) => whole.subarray(4 * from, 4 * (from + frames)) }
  }

  /** Throws as `Understand.part`. */
  return async (dubId: string, languageCode: string, line: JudgedLine, signal: AbortSignal): Promise<JudgedTake> => {
    const { id, key, text, slotUs, roomUs } = line
    const take = await takeFiles.find(dubId, languageCode, id, key)
    const sound = take && (await soundOf(take.digest))
    if (!take || !sound) return { id, key, score: SILENT }
    const language = languageOfDub(languageCode, [text])
    const toUs = Math.round((take.samples / take.sampleRate) * 1e6)
    const caller = { signal, traceparent: '' }
    const found = await understand.part(sound, { fromUs: 0, toUs }, language, caller).catch((error: unknown) => {
      signal.throwIfAborted()
      const failure = Failure.from(error)
      // Of a task, not of this job.
      if (failure.code === 'CANCELLED') throw new Failure('UNKNOWN', failure.message, { cause: failure })
      throw failure
    })
    const naturalUs = ((take.part.to - take.part.from) / take.sampleRate) * 1e6
    const repeated = found.text === null ? null : repeatedPhrase(found.text)
    const score = {
      isSilent: found.measured === null && found.text === '',
      isOtherLanguage: foundLanguage(language, text, found.text, found.identified).isOther,
      isRepeated: repeated !== null && repeatedPhrase(text) === null,
      characterError: found.text === null ? null : characterError(text, found.text),
      filled: shareOf(naturalUs, slotUs),
      need: shareOf(naturalUs, roomUs),
    }
    return { id, key, score }
  }
}
