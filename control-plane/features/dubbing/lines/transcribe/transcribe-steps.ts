// The steps of a transcription: parts of the film, what is said in each, who speaks, and the lines with their reference clips.

import { z } from 'zod'
import { dubOrGone } from '#control-plane/features/dubbing/film/prep/prep-params.ts'
import { onsetsOf, type SpeechSpans } from '#control-plane/features/dubbing/film/reading/speech-spans.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { usOf } from '#control-plane/features/dubbing/store/dub.ts'
import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import type { Recording } from '#control-plane/inference/recording.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { whenReady } from '#control-plane/inference/when-ready.ts'
import { type StepContext, type StepOutcomes, type StepOutput, stepOutput } from '#control-plane/jobs/job-type.ts'
import { readOutput } from '#control-plane/jobs/run/step-outputs.ts'
import { openBlocks, type SoundReader } from '#control-plane/media/film/sound/blocks.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { joinPieces } from '#shared/text/join-pieces.ts'
import { onOnsets } from '#shared/timing/onsets.ts'
import { digestsOf, spokenLines, storedLine, withIds, withoutOverwriting } from './lines.rules.ts'
import { transcriptWarning, transcriptWarnings, wordlessWarning } from './loops.rules.ts'
import { addLevels, filmSpansOf, LEVELS_PER_SECOND, type PartSpan } from './parts.rules.ts'
import { clipsOf, createReferenceClips } from './references.ts'
import { identifyPart, isOneSpeaker, joinSpeakers, speakerSpans } from './speakers/speaker-steps.ts'
import { PartTurns } from './speakers/turns.rules.ts'
import type { TranscribedPart, TranscriptWarning } from './transcribe-events.schema.ts'
import { cutInPauses, utterancesOf, withoutLeadingSilence } from './utterances.rules.ts'

export const TranscriptionParams = z.object({
  dub: z.string(),
  /** The key of the speech of the film. */
  speech: z.string(),
  /** The number of speakers that the client expects; null to estimate it. */
  speakers: z.int().min(1).max(20).nullable(),
  lineClips: z.boolean(),
  /** The language of the film; absent or null: it is identified. */
  language: z.string().nullish(),
})
export type TranscriptionParams = z.output<typeof TranscriptionParams>

const Word = z.object({ start: z.number(), end: z.number(), word: z.string() })
const Spoken = z.object({
  id: z.string(),
  start: z.number(),
  end: z.number(),
  text: z.string(),
  words: z.array(Word).readonly().optional(),
})
const Part = z.object({ from: z.number(), to: z.number() })
export const FilmSpans = z.object({
  engine: z.string(),
  model: z.string(),
  language: z.string(),
  seconds: z.number(),
  parts: z.array(Part),
  /** The lines before the transcription, by id. */
  before: z.record(z.string(), z.string()),
})
export type FilmSpans = z.output<typeof FilmSpans>
/** `wordless`: where a voice was found and no words were recognised. Seconds of the film. */
export const RecognisedPart = z.object({ lines: z.array(Spoken), language: z.string(), wordless: z.array(Part).readonly() })
type RecognisedPart = z.output<typeof RecognisedPart>
/** Number of lines that the dub got. */
export const StoredLines = z.object({ lines: z.int() })

type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'rows' | 'saved'>
  readonly recognition: Pick<RecognitionApi, 'partwise' | 'withSpeakers'>
  readonly inference: Pick<Inference, 'keepInput' | 'run'>
  readonly offered: () => readonly Offer[]
  readonly speechSpans: SpeechSpans
  readonly requireSound: (dubId: string, signal: AbortSignal) => Promise<void>
  readonly clock: Clock
}
export type TranscribeSteps = ReturnType<typeof createTranscribeSteps>

const READ_SECONDS = 60
const PART_WITHIN_MS = 3600_000
const ATTEMPTS = 2
const NO_ONSETS = 'The beginnings of speech were found by the level of the sound only, because no detector of this machine works.'
const DEFAULT_LANGUAGE = 'en'

/** Long factory: the steps of one job share its sound, its recogniser and the wait for the engines. */
export function createTranscribeSteps({ core, recognition, inference, offered, speechSpans, requireSound, clock }: Deps) {
  const { store, files, rows, saved } = core
  const references = createReferenceClips({ core })

  const speechOf = async ({ dub, speech }: TranscriptionParams, signal: AbortSignal): Promise<SoundReader> => {
    dubOrGone(core, dub)
    await requireSound(dub, signal)
    return openBlocks(files.pathOf(speech))
  }

  async function recordingOf(sound: SoundReader, from: number, to: number, withinMs: number, signal: AbortSignal): Promise<Recording> {
    const [first, last] = [from, to].map((at) => Math.round(at * sound.sampleRate)) as [number, number]
    const header = wavHeader({ sampleRate: sound.sampleRate, channels: 1, samples: last - first })
    const wav = Buffer.alloc(header.length + 2 * (last - first))
    wav.set(header)
    // A minute at a time: half an hour has 64 MB, and needs no second copy.
    for (let at = first; at < last; at += READ_SECONDS * sound.sampleRate)
      wav.set(await sound.read(at, Math.min(READ_SECONDS * sound.sampleRate, last - at)), header.length + 2 * (at - first))
    return { wav, seconds: to - from, withinMs, signal, traceparent: '' }
  }

  return {
    async begin(params: TranscriptionParams, { signal }: StepContext): Promise<StepOutput<FilmSpans>> {
      const sound = await speechOf(params, signal)
      const seconds = sound.samples / sound.sampleRate
      const levels: number[] = []
      for (let at = 0; at < sound.samples; at += READ_SECONDS * sound.sampleRate) {
        signal.throwIfAborted()
        const frames = Math.min(READ_SECONDS * sound.sampleRate, sound.samples - at)
        addLevels(levels, await sound.read(at, frames), sound.sampleRate)
        await nextTurn()
      }
      const parts = filmSpansOf(levels, seconds)
      const opening = await recordingOf(sound, 0, parts[0]!.to, PART_WITHIN_MS, signal)
      const { engine, model, language } = await whenReady(
        () => recognition.partwise.choose(opening, params.language ?? null),
        clock,
        signal,
      )
      return stepOutput({ engine, model, language, seconds, parts, before: digestsOf(store.segments.list(params.dub)) })
    },

    /** Throws the failure of the second attempt, which the followers have got then. */
    async part(
      params: TranscriptionParams,
      film: FilmSpans,
      part: number,
      failed: (fault: Failure) => TranscribedPart,
      context: StepContext<TranscribedPart | TranscriptWarning>,
    ): Promise<StepOutput<RecognisedPart>> {
      const { signal } = context
      const { from, to } = film.parts[part]!
      const sound = await speechOf(params, signal)
      for (let attempt = 1; ; attempt++)
        try {
          const recording = await recordingOf(sound, from, to, PART_WITHIN_MS, signal)
          const recognised = await whenReady(() => recognition.partwise.recognisePart(film, recording), clock, signal)
          const levels: number[] = []
          addLevels(
            levels,
            await sound.read(Math.round(from * sound.sampleRate), Math.ceil((to - from) * sound.sampleRate)),
            sound.sampleRate,
          )
          await nextTurn()
          const utterances = utterancesOf(recognised.segments, from, to, recognised.language ?? '')
          await nextTurn()
          const cut = cutInPauses(utterances, levels, from, LEVELS_PER_SECOND)
          await nextTurn()
          const { onsets, missing } = await onsetsOf(speechSpans, recording)
          if (missing) await context.emit(transcriptWarning({ detail: NO_ONSETS, source: 'transcript', error_class: missing }))
          const wordless = (recognised.speech_without_words ?? []).map(({ start, end }) => ({ from: from + start, to: from + end }))
          if (wordless.length > 0) await context.emit(wordlessWarning(wordless))
          const trimmed = withoutLeadingSilence(cut, levels, from, LEVELS_PER_SECOND)
          const placed = onOnsets(
            trimmed,
            onsets.map((at) => from + at),
          )
          const lines = withIds(placed, part)
          return stepOutput({ lines, language: recognised.language, wordless })
        } catch (error) {
          signal.throwIfAborted()
          if (attempt < ATTEMPTS) continue
          const { code, message } = Failure.from(error)
          // The cancel of a task is not that of the job.
          const failure = new Failure(code === 'CANCELLED' ? 'RECOGNITION_FAILED' : code, message)
          await context.emit(failed(failure))
          throw failure
        }
    },

    /** Throws for an abort only. */
    async speakers(params: TranscriptionParams, film: FilmSpans, part: number, context: StepContext): Promise<StepOutput<PartTurns>> {
      const recording = async ({ from, to }: PartSpan, withinMs: number, signal: AbortSignal) =>
        recordingOf(await speechOf(params, signal), from, to, withinMs, signal)
      return identifyPart({ inference, offered, recordingOf: recording, clock }, film, part, params.speakers, context.signal)
    },

    /** Stores the lines. Throws RECOGNITION_FAILED when nothing was recognised. */
    async finish(
      params: TranscriptionParams,
      outcomes: StepOutcomes,
      run: string,
      context: StepContext<TranscriptWarning>,
    ): Promise<StepOutput<z.output<typeof StoredLines>>> {
      const { dub: id, lineClips } = params
      const dub = dubOrGone(core, id)
      const film = readOutput(outcomes, 'begin', FilmSpans)!
      const identified = speakersNames(film, params).map((name) => readOutput(outcomes, name, PartTurns)!)
      const { turns, warnings } = await joinSpeakers(film, identified, params.speakers, context.signal)
      for (const warning of warnings) await context.emit(transcriptWarning(warning))
      const recognised = film.parts.map((_, part) => readOutput(outcomes, partName(part), RecognisedPart) ?? null)
      const spoken = spokenLines(
        recognised.map((part) => part?.lines ?? []),
        (lines) => recognition.withSpeakers(lines, turns),
      )
      if (spoken.length === 0) {
        const fault = outcomes.failures.get(partName(0))
        throw new Failure(
          'RECOGNITION_FAILED',
          fault ? `The speech was not recognised: ${fault.message}` : 'No speech was found in the film.',
        )
      }
      const plain = spoken.map(storedLine)
      for (const detail of transcriptWarnings(plain, usOf(film.seconds)))
        await context.emit(transcriptWarning({ detail, source: 'transcript' }))
      await requireSound(id, context.signal)
      const clips = await references.make(dub, plain, lineClips, run, context.signal).catch(async (error: unknown) => {
        context.signal.throwIfAborted()
        const { code, message } = Failure.from(error)
        await context.emit(
          transcriptWarning({ detail: `There are no reference clips: ${message}`, source: 'speaker_clone', error_class: code }),
        )
        return { speaker_clones: {}, clone_files: {}, segment_clones: {} }
      })
      const without = [...new Set(plain.map(({ speakerId }) => speakerId))].filter((speaker) => !Object.hasOwn(clips.clone_files, speaker))
      if (without.length > 0) {
        const detail = `No clear speech of 3 s was found for ${without.slice(0, 20).join(', ')}, so these voices cannot be cloned.`
        await context.emit(transcriptWarning({ detail, source: 'speaker_clone' }))
      }
      const fresh = plain.map((line) =>
        Object.hasOwn(clips.clone_files, line.speakerId) ? { ...line, profileId: `auto:${line.speakerId}` } : line,
      )
      dubOrGone(core, id)
      store.segments.replaceByOthers(id, withoutOverwriting(fresh, store.segments.list(id), film.before))
      const fullest = recognised.reduce((best, part) => (textOf(part).length > textOf(best).length ? part : best), recognised[0] ?? null)
      store.dubs.change(id, {
        sourceLang: languageOf(params.language || fullest?.language || film.language),
        fullTranscript: joinPieces(fresh.map(({ text }) => text)),
      })
      const needed = new Set(clipsOf(clips))
      // A generation that runs may still read them, so they stay until the sweep.
      for (const old of clipsOf(dubOrGone(core, id).options)) if (!needed.has(old)) rows.unuse(id, old)
      store.dubs.changeOptions(id, {
        ...clips,
        cast_presets: {},
        cast_sources: clips.speaker_clones,
        per_segment_refs: lineClips,
        speech_without_words: recognised.flatMap((part) =>
          (part?.wordless ?? []).map(({ from, to }) => ({ start_us: usOf(from), end_us: usOf(to) })),
        ),
      })
      saved(id)
      return stepOutput({ lines: fresh.length })
    },
  }
}

export const partName = (part: number): string => `part ${part}`
/** The steps that identify the speakers, in the order of the parts of the film. */
export const speakersNames = (film: FilmSpans, { speakers }: TranscriptionParams): string[] =>
  isOneSpeaker(speakers) ? [] : speakerSpans(film).map((_, part) => `speakers ${part}`)
const textOf = (part: RecognisedPart | null): string => (part?.lines ?? []).map(({ text }) => text).join(' ')
const languageOf = (tag: string): string => /^[a-z]{2}(?=$|[-_])/i.exec(tag)?.[0].toLowerCase() ?? DEFAULT_LANGUAGE
