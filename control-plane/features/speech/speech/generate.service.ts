// POST /generate: synthesises a take in chunks, joins, masters and marks it, and stores it as a file and a row of the history. With
// `stream`, the chunks are also sent line by line during synthesis.
import { createReadStream, rmSync } from 'node:fs'
import type { LibraryApi } from '#control-plane/features/base/library/api.ts'
import type { PronunciationApi } from '#control-plane/features/base/pronunciation/api.ts'
import type { MarkOf } from '#control-plane/features/base/watermark/api.ts'
import type { Upload } from '#control-plane/http/input/form.ts'
import type { Notice } from '#control-plane/inference/notice.ts'
import type { Run } from '#control-plane/inference/run.ts'
import { type Synthesis, spokenLanguage } from '#control-plane/inference/synthesis.ts'
import type { Media } from '#control-plane/media/encode.ts'
import type { AttemptMarks } from '#control-plane/tasks/attempts.ts'
import type { OutputPiece } from '#control-plane/tasks/output.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'
import { withoutAnnotations } from '#shared/text/pronunciation/annotation.ts'
import { withoutMarkTags } from '#shared/text/script/mark.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { cutWhereChunksEnd, inChunks, inOrder } from './chunks.ts'
import { chunkList, engineParameters, explainGenerate, hostedRefusal } from './generate.rules.ts'
import type { Composer } from './parts/compose.ts'
import { type Keeping, withKept } from './parts/keep.ts'
import { partsOf, scriptOf, soundsOf } from './parts/make-script.ts'
import { placesIn } from './parts/places.ts'
import { doneLine, firstCharacters, historyRow } from './parts/row.ts'
import { checkScript, cutScript, durationAfter, durationNotices, refuseLongPauses } from './script.ts'
import type { GenerateForm } from './speech.schema.ts'
import { seed32 } from './speech.service.ts'
import { errorLine, progressLine } from './stream/lines.ts'
import type { TakeLine, TakeProgress } from './stream/take-events.schema.ts'
import { reportUntil } from './stream/until.ts'
import type { Take, TakePlan } from './take.ts'
import { speedOf, textForSpeech, unsentMarks } from './text/text-for-speech.ts'
import type { References, TakeCaller } from './voice/reference.ts'
import { NO_SPEAKER, speakerId, type Voicing } from './voice/voicing.ts'

type Deps = {
  readonly synthesis: Synthesis
  readonly pronunciation: PronunciationApi
  readonly voicing: Voicing
  readonly referenceOf: References
  readonly media: Media
  readonly composer: Composer
  readonly keeping: Keeping
  readonly markOf: MarkOf
  readonly history: LibraryApi['history']
  readonly audioFolder: string
  readonly marks: AttemptMarks
  /** Name of a machine. */
  readonly nameOf: (workerId: string) => string
  readonly clock: Clock
  readonly random: Random
}
export type Begun = TakePlan & {
  readonly run: Run<'tts'>
  /** Milliseconds on the monotonic clock. */
  readonly startedAt: number
  /** Reason why it runs here although another machine is chosen, as a sentence; null if it does not. */
  readonly fallback: string | null
}
/** Parts of a take that another task has spoken. */
export type EarlierParts = {
  readonly parts: readonly { readonly samples: number }[]
  /** SHA-256 of the file that has them, one after the other; null without parts. */
  readonly digest: string | null
  /** Pieces without part numbers. */
  readonly pieces: () => AsyncIterable<OutputPiece>
  /** Sentences for the user. */
  readonly notices: readonly string[]
}
/** JSON lines, sent during synthesis. */
export type TakeStream = {
  readonly seed: number
  readonly notice: Notice | null
  /** Same as in a take; null before the machine is known. */
  readonly voice: string | null
  readonly lines: AsyncIterable<string>
}

/** UTF-16 units. */
const HISTORY_CHARS = 200
const NO_EARLIER: EarlierParts = { parts: [], digest: null, pieces: async function* () {}, notices: [] }

/** Long factory: the plan, the task and the lines of a take share all of these parts. */
export function createGenerate({
  synthesis,
  media,
  composer,
  keeping,
  pronunciation,
  voicing,
  referenceOf,
  markOf,
  history,
  audioFolder,
  marks,
  nameOf,
  clock,
  random,
}: Deps) {
  /** Everything that a take depends on, as plain data. Throws the refusal of an invalid request. */
  async function plan(
    form: GenerateForm,
    uploads: Readonly<Record<string, Upload>>,
    madeBy: ClientId,
    signal: AbortSignal,
    traceparent = '',
  ): Promise<TakePlan> {
    if (form.hosted) throw hostedRefusal(form)
    const file = uploads['ref_audio']
    // Browsers send an empty file without a name for an empty file field.
    const upload = file && (file.size > 0 || file.filename !== '') ? file : null
    const base = keeping.baseOf(form, upload !== null)
    const asked = base?.engine ?? form.engine ?? 'tts-1' // the alias of the selected engine
    const { instruct, ref_text: refText } = form
    const written = composed(form.text)
    const spoken = await textForSpeech(written, form.text_format, form.language)
    const language = form.language ?? spoken.language
    const named = spoken.voice ?? form.profile_id ?? (base?.voice || form.voice)
    // An uploaded recording is the voice, even if the request also names one.
    const voiced = await voicing.of({ model: asked, voice: upload ? null : named, instruct, language, refText, seed: form.seed }, signal)
    const { model } = voiced
    const cloner = upload || (refText && !voiced.reference) ? synthesis.cloningEngine(model) : null
    const input = withoutMarkTags(spoken.text)
    const speaking = () =>
      synthesis.alphabetFor(
        model,
        { ...voiced.params, segments: [{ text: input }] },
        voiced.target,
        cloner !== null || voiced.reference !== null,
      )
    const { text: script, notices } = pronunciation.pronounced(input, voiced.params.language, speaking, form.pronounce)
    await nextTurn() // the longest text takes 50 ms until here, and as long again
    const { hasPauses, leadMs, segments: pieces } = cutScript(script, form.max_chunk_chars, voiced.params.language ?? '')
    checkScript({ leadMs, segments: pieces })
    // The client gets the seed that it sent, which may be outside of the 32 bits of the engines.
    const seed = voiced.seed ?? Math.floor(random.unit() * 2 ** 31)
    const own = seed32(seed)
    const segments = pieces.map(({ text, pauseAfterMs }, index) => ({ text, seed: (own + index) >>> 0, pause_after_ms: pauseAfterMs }))
    const reference = upload && cloner ? await referenceOf(upload, refText, cloner, { signal, traceparent }) : null
    // A script with pauses is one chunk, because clients that join chunks would lose the pauses between them.
    const chunks = hasPauses ? 1 : pieces.length
    const speed = speedOf(form.speed, spoken)
    const params = { ...engineParameters(form), speed, ...voiced.params, duration: durationAfter(leadMs, form.duration), segments }
    if (reference) params.ref_text = reference.transcript
    await nextTurn()
    // Forms are sent with the line breaks of the network.
    const source = form.text.replaceAll('\r\n', '\n')
    const places = placesIn(
      source,
      segments.map(({ text }) => withoutAnnotations(text)),
    )
    const shortened = { ...form, text: firstCharacters(spoken.text === written ? form.text : input, HISTORY_CHARS) }
    const planned: TakePlan = {
      takeId: history.newId(madeBy),
      model,
      params,
      voice: voiced.preset,
      speaker: voiced.speaker,
      reference: reference?.input ?? voiced.reference,
      target: voiced.target,
      remarks: [
        ...(upload && named ? [`The uploaded recording was used instead of the voice ${named}.`] : []),
        ...(reference?.remarks ?? []),
        ...spoken.notices,
        ...unsentMarks(spoken, input),
        ...notices,
      ],
      replaced: voiced.remarks,
      chunks,
      seed,
      leadMs,
      crossfadeMs: chunks === 1 ? 0 : form.crossfade_ms,
      script: { text: source, places, wasUploaded: reference !== null },
      form: shortened,
    }
    return base ? withKept(planned, base) : planned
  }

  /** `moved`: another target than the plan has, or null. Throws what `Synthesis.start` throws, CANCELLED for a voice that was deleted. */
  async function begin(planned: TakePlan, signal: AbortSignal, traceparent: string, moved: string | null = null): Promise<Begun> {
    const { model, params, reference, speaker = NO_SPEAKER } = planned
    const startedAt = clock.mono()
    const target = moved ?? planned.target ?? null
    const fallback = target === null ? synthesis.fallback() : null
    const run = await synthesis.start(
      {
        model,
        params,
        ...(reference && { reference }),
        idempotencyKey: null,
        ephemeral: false, // read twice: during synthesis, and for joining
        traceparent,
        target,
        lastCheck: () => voicing.refuseWithdrawn(speaker, reference), // a job may begin long after its request
      },
      signal,
    )
    return { ...planned, run, startedAt, fallback }
  }
  const noticeFor = async (
    { run, model, voice, params, fallback, remarks = [], replaced = [] }: Begun,
    information: readonly string[] = [],
  ) =>
    synthesis.notice(
      await synthesis.offerFor(run, model),
      { voice, language: spokenLanguage(run), reported: await synthesis.voiceOf(run), segments: params.segments },
      [fallback, ...replaced],
      [...remarks, ...information],
    )

  /** Same as in a take. */
  const voiceOf = async ({ run, model, voice: preset, speaker = NO_SPEAKER }: Begun): Promise<string | null> =>
    speakerId({ speaker, preset, run, offer: await synthesis.offerFor(run, model), reported: await synthesis.voiceOf(run) })

  /**
   * Waits for the end of the task, then joins, masters and marks the audio and writes its file. The same `id` writes the same file.
   * `earlier`: the parts before those of the task.
   */
  async function make(begun: Begun, id: string, signal: AbortSignal, earlier: EarlierParts = NO_EARLIER): Promise<Take> {
    const { run, seed, startedAt, crossfadeMs, leadMs, form } = begun
    const { sample_rate: sampleRate, parts: own, notices } = await run.result()
    const whole = partsOf(begun)
    const made = [...earlier.parts, ...own].values()
    const parts = whole.map(({ kept }) => kept ?? made.next().value!)
    const segments = whole.map(({ spoken, pauseMs }) => ({ text: spoken, pause_after_ms: pauseMs }))
    refuseLongPauses(leadMs, segments, { parts, sample_rate: sampleRate })
    if (whole.some(({ kept }) => kept && kept.rate !== sampleRate))
      throw new Failure('CONFLICT', 'The voice now speaks in another quality than in the earlier take. Speak all of the text.')
    const keeps = whole.some(({ kept }) => kept !== null)
    const output = () => inOrder(earlier.pieces(), run.output())
    const kept = whole.map((part) => part.kept)
    const pieces = () => (keeps ? composer.spliced(kept, output(), parts) : output())
    const crossfade = Math.round((crossfadeMs * sampleRate) / 1000)
    const look = { sampleRate, leadMs, crossfade, effects: form.effect_preset, mark: markOf(run.spec) }
    const audioPath = `${id}.wav`
    const { bytes, seconds, silent } = await composer.compose(audioPath, { pieces, parts }, look, signal)
    const tookSeconds = Math.round((clock.mono() - startedAt) / 10) / 100
    const missed = durationNotices(form.duration, leadMs, { parts, sample_rate: sampleRate })
    const notice = await noticeFor(begun, [...earlier.notices, ...notices, ...missed])
    const dropped = [...silent].map((index) => withoutAnnotations(whole[index]!.spoken))
    const taskId = earlier.parts.length > 0 || keeps ? null : run.taskId
    const chunks = chunkList({ taskId, sampleRate, leadMs, crossfade, segments, parts, silent })
    const [engine, voice] = [run.spec.engine, await voiceOf(begun)]
    const files = [earlier, { digest: await composer.keepOutput(await synthesis.outputOf(run)), parts: own }]
    const sounds = soundsOf(whole, files, silent)
    const script = scriptOf(begun, { sampleRate, crossfade, engine, voice, parts: whole, sounds })
    return {
      ...{ id, audioPath, bytes, seconds, tookSeconds, seed, sampleRate, dropped, notice, engine, voice, chunks },
      ...(script && { script }),
    }
  }

  async function finish(begun: Begun, signal: AbortSignal): Promise<Take> {
    const take = await make(begun, begun.takeId!, signal)
    try {
      history.add(historyRow(begun, take))
    } catch (error) {
      rmSync(fileIn(audioFolder, take.audioPath), { force: true })
      throw error
    }
    return take
  }

  const cutAgain = ({ run, chunks, leadMs }: Begun, sampleRate: number, signal: AbortSignal) =>
    cutWhereChunksEnd(inChunks(run.output(), chunks, leadMs, sampleRate), chunks, async (source) => {
      const mark = markOf(run.spec)
      const { body } = await media.encode({ format: 'pcm', sampleRate, source, mark, effects: null, master: true, signal })
      return body
    })

  async function progressOf({ run }: Begun, target: string): Promise<TakeProgress | null> {
    const task = await synthesis.taskOf(run)
    return task && progressLine(task.phase, task.attemptId === null ? undefined : marks.get(task.attemptId), target)
  }

  async function* lines(begun: Begun, signal: AbortSignal): AsyncGenerator<string> {
    const line = (fields: TakeLine) => `${JSON.stringify(fields)}\n`
    const remote = remoteTarget(begun)
    try {
      if (remote !== null)
        for await (const one of reportUntil(synthesis.firstSound(begun.run), () => progressOf(begun, remote), clock)) yield line(one)
      const sampleRate = await synthesis.sampleRateOf(begun.run)
      yield line({
        type: 'start',
        sample_rate: sampleRate,
        channels: 1,
        format: 'pcm16',
        total_chunks: begun.chunks,
        crossfade_ms: begun.crossfadeMs,
        seed: begun.seed,
        voice: await voiceOf(begun),
      })
      for await (const { seq, pcm } of cutAgain(begun, sampleRate, signal)) yield line({ type: 'chunk', seq, pcm: pcm.toString('base64') })
      const take = await finish(begun, signal)
      if (take.dropped.length > 0) yield line({ type: 'warning', code: 'dropped_chunks', count: take.dropped.length, text: take.dropped })
      yield line(doneLine(take))
    } catch (error) {
      if (signal.aborted) return // the client disconnected
      yield line(
        errorLine(Failure.from(await synthesis.explained(begun.run, withdrawnBy(begun, error))), remote === null ? null : nameOf(remote)),
      )
    }
  }
  /** The reason if the voice of the take was withdrawn, otherwise the error. */
  const withdrawnBy = ({ speaker = NO_SPEAKER, reference }: TakePlan, error: unknown): unknown =>
    voicing.withdrawnBy(error, speaker, reference)
  const explainedFor =
    (begun: Begun) =>
    async (error: unknown): Promise<never> => {
      throw explainGenerate(Failure.from(await synthesis.explained(begun.run, withdrawnBy(begun, error))))
    }

  return {
    plan,
    begin,
    make,
    withdrawnBy,
    /** A take without uploads. `report` receives the progress of its task. */
    async take(
      form: GenerateForm,
      madeBy: ClientId,
      { signal, traceparent }: TakeCaller,
      report: ((line: TakeProgress) => void) | null,
    ): Promise<Take> {
      const begun = await begin(await plan(form, {}, madeBy, signal, traceparent), signal, traceparent)
      const done = finish(begun, signal).catch(explainedFor(begun))
      if (report) for await (const line of reportUntil(done, () => progressOf(begun, begun.run.spec.target), clock)) report(line)
      return done
    },
    async generate(
      form: GenerateForm,
      uploads: Readonly<Record<string, Upload>>,
      madeBy: ClientId,
      signal: AbortSignal,
      traceparent: string,
    ): Promise<Take | TakeStream> {
      const begun = await begin(await plan(form, uploads, madeBy, signal, traceparent), signal, traceparent)
      if (!form.stream) return await finish(begun, signal).catch(explainedFor(begun))
      // Clients of a remote machine see its progress, so the response begins at once.
      const offer = remoteTarget(begun) === null ? null : await synthesis.offerFor(begun.run, begun.model)
      const stream = { seed: begun.seed, lines: lines(begun, signal) }
      if (offer !== null) return { ...stream, notice: offer ? await noticeFor(begun) : null, voice: offer ? await voiceOf(begun) : null }
      // An error before the first byte gets its own HTTP status; a later one becomes a line of the stream.
      await synthesis.firstSound(begun.run).catch(explainedFor(begun))
      return { ...stream, notice: await noticeFor(begun), voice: await voiceOf(begun) }
    },
  }
}

/** The remote machine that the owner chose; null for this machine, and while the studio chooses. */
const remoteTarget = ({ run: { spec } }: Begun): string | null => (spec.target === LOCAL || spec.target === 'auto' ? null : spec.target)

/** The audio of a take, read from its file. */
export async function* audioOf(audioFolder: string, { audioPath }: Pick<Take, 'audioPath'>): AsyncGenerator<Uint8Array> {
  yield* createReadStream(fileIn(audioFolder, audioPath))
}
