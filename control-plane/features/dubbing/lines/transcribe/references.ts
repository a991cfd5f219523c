// Cuts the reference clips of the speakers of a film, and of single lines. They are private to the dub and are deleted with it.

import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { type Dub, type DubOptions, secondsOf } from '#control-plane/features/dubbing/store/dub.ts'
import { storageFailure } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import type { DubLine } from '#control-plane/features/dubbing/store/line.ts'
import { openBlocks, type SoundReader } from '#control-plane/media/film/sound/blocks.ts'
import { createDownmix } from '#shared/audio/channels/downmix.ts'
import { fromS16, toS16 } from '#shared/audio/pcm.ts'
import { openResampler } from '#shared/audio/resampler.ts'
import { concat } from '#shared/audio/stage.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { fileIn } from '#shared/runtime/file.ts'
import { joinPieces } from '#shared/text/join-pieces.ts'
import {
  edgesInPauses,
  isClear,
  isReferenceLength,
  MAX_AROUND_SECONDS,
  type ReferencePart,
  type ReferenceSpan,
  referenceCandidates,
  referencePart,
  referenceScore,
  referenceSound,
} from './references.rules.ts'

/** Enough for every engine that clones, and half the disk space of the film's rate. */
const CLIP_RATE = 24_000
/** The most that is read around a clip, to find the pauses before and after it. */
const MARGIN_US = MAX_AROUND_SECONDS * 1e6
/** Other lines use the clip of their speaker. */
const MAX_LINE_CLIPS = 500

export type ReferenceClips = Pick<DubOptions, 'speaker_clones' | 'clone_files' | 'segment_clones'>
/** The digests of all reference clips. Pure. */
export const clipsOf = ({ clone_files: speakers, segment_clones: lines }: Omit<ReferenceClips, 'speaker_clones'>): string[] => [
  ...Object.values(speakers),
  ...Object.values(lines),
]
type Deps = { readonly core: Pick<DubCore, 'files'> }

export const createReferenceClips = ({ core: { files } }: Deps) => ({
  /** Speakers without a stretch of clear speech get none. `run`: the job. Throws INPUT_UNAVAILABLE, STORAGE_FULL, the reason of the signal. */
  async make(dub: Dub, lines: readonly DubLine[], withLines: boolean, run: string, signal: AbortSignal): Promise<ReferenceClips> {
    const vocals = dub.vocals !== null && (await files.find(dub.vocals)) ? dub.vocals : null
    const sound = await openBlocks(files.pathOf(vocals ?? dub.sound!.sound))
    const keep = async (span: ReferenceSpan, spoken: readonly DubLine[]): Promise<string> => {
      signal.throwIfAborted()
      const clip = await clipOf(sound, span)
      const pieces: Uint8Array[] = [wavHeader({ sampleRate: CLIP_RATE, channels: 1, samples: clip.length })]
      for (let from = 0; from < clip.length; from += CLIP_RATE) {
        pieces.push(toS16(clip.subarray(from, from + CLIP_RATE)))
        await nextTurn()
      }
      const wav = Buffer.concat(pieces)
      const digest = createHash('sha256').update(wav).digest('hex')
      const path = fileIn(files.scratch, `${run}-${digest}.wav`)
      const detail = { text: joinPieces(spoken.map(({ text }) => text)), durationUs: Math.round((clip.length / CLIP_RATE) * 1e6) }
      try {
        await writeFile(path, wav, { mode: 0o600 })
        await files.keep(digest, path, { kind: 'clip', maker: run, detail: JSON.stringify(detail) }, dub.id)
      } catch (cause) {
        // A full disk keeps the part that was written.
        await rm(path, { force: true })
        throw storageFailure(cause)
      }
      return digest
    }

    const clips: ReferenceClips = { speaker_clones: {}, clone_files: {}, segment_clones: {} }
    for (const [speaker, candidates] of referenceCandidates(lines)) {
      let [best, most] = [candidates[0]!, Number.NEGATIVE_INFINITY]
      for (const candidate of candidates) {
        const clip = await clipOf(sound, candidate)
        await nextTurn()
        const parts: ReferencePart[] = []
        for (let from = 0; from < clip.length; from += CLIP_RATE) {
          parts.push(referencePart(clip.subarray(from, from + CLIP_RATE), CLIP_RATE))
          await nextTurn()
        }
        const score = referenceScore(candidate, referenceSound(parts))
        if (score > most) [best, most] = [candidate, score]
      }
      clips.clone_files[speaker] = await keep(best, best.lines)
      const [duration, sources] = [secondsOf(best.endUs - best.startUs), best.lines.length]
      clips.speaker_clones[speaker] = { duration, source_count: sources, kind: sources > 1 ? 'speaker' : 'segment' }
    }
    if (!withLines) return clips
    const sorted = lines.toSorted((left, right) => left.startUs - right.startUs)
    for (const line of sorted.filter((one) => isReferenceLength(one) && isClear(one, sorted)).slice(0, MAX_LINE_CLIPS))
      clips.segment_clones[line.id] = await keep(line, [line])
    return clips
  },
})

/** Mono, at the rate of clips, from a pause to a pause. */
async function clipOf(sound: SoundReader, { startUs, endUs }: ReferenceSpan): Promise<Float32Array> {
  const at = (us: number) => Math.round((us / 1e6) * sound.sampleRate)
  const first = at(Math.max(0, startUs - MARGIN_US))
  const frames = Math.min(sound.samples, at(endUs + MARGIN_US)) - first
  const pcm = await sound.read(first, frames)
  const mixer = createDownmix(sound.channels, sound.sampleRate)
  const second = (pcm.length / frames) * sound.sampleRate
  const mixed: Float32Array[] = []
  for (let from = 0; from < pcm.length; from += second) {
    mixed.push(mixer.push(fromS16(pcm.subarray(from, from + second))))
    await nextTurn()
  }
  const mono = concat([...mixed, mixer.flush()])
  const edges = edgesInPauses(mono, sound.sampleRate, at(startUs) - first, at(endUs) - first)
  const resampler = await openResampler(sound.sampleRate, CLIP_RATE)
  try {
    const pieces: Float32Array[] = []
    for (let from = edges.from; from < edges.to; from += sound.sampleRate) {
      pieces.push(resampler.push(mono.subarray(from, Math.min(edges.to, from + sound.sampleRate))))
      await nextTurn()
    }
    pieces.push(resampler.flush())
    return concat(pieces)
  } finally {
    resampler.close()
  }
}
