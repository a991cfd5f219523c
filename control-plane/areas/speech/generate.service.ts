// POST /generate: a take. Spoken chunk by chunk, joined, mastered, marked, kept as a file and a row of the history; or, with `stream`,
// told line by line while it is being made and kept all the same.
import { join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Bytes, Upload } from '../../http/route.ts'
import { headerText, type Notice, type Synthesis } from '../../inference/synthesis.ts'
import type { Media } from '../../media/encode.ts'
import type { Intake } from '../../media/intake.ts'
import { REFERENCE } from '../../media/recording.ts'
import type { TaskInput } from '../../tasks/record.ts'
import { failureOf, type Tasks } from '../../tasks/tasks.ts'
import type { LibraryApi } from '../library/api.ts'
import { collect, cutWhereChunksEnd, inChunks, joined, keepFile } from './chunks.ts'
import { engineParameters, errorCode, explainGenerate, hostedRefusal } from './generate.rules.ts'
import type { Provenance } from './provenance.ts'
import { applyOverrides, cutAtPauses, cutAtSentences } from './script.ts'
import type { GenerateForm } from './speech.schema.ts'
import { presetOf, seed32 } from './speech.service.ts'

type Deps = {
  readonly tasks: Tasks
  readonly media: Media
  readonly intake: Intake
  readonly synthesis: Synthesis
  readonly provenance: Provenance
  readonly history: LibraryApi['history']
  readonly audioFolder: string
  readonly clock: Clock
  readonly random: Random
}
export type Take = {
  readonly id: string
  readonly audioPath: string
  readonly wav: Uint8Array
  readonly seconds: number
  readonly tookSeconds: number
  readonly seed: number
  readonly sampleRate: number
  readonly dropped: readonly string[]
  readonly notice: Notice
}

export function createGenerate({ tasks, media, intake, synthesis, provenance, history, audioFolder, clock, random }: Deps) {
  /** The recording of a voice as engines want it, kept for the task. Throws BAD_REQUEST for what is no such recording. */
  async function referenceOf(upload: Upload, signal: AbortSignal): Promise<TaskInput> {
    const { wav } = await intake.read(upload.path, signal, REFERENCE)
    return await tasks.keepInput('reference', wav)
  }

  async function begin(form: GenerateForm, uploads: Readonly<Record<string, Upload>>, signal: AbortSignal, traceparent: string) {
    if (form.hosted) throw hostedRefusal(form)
    const model = form.engine ?? 'tts-1' // the engine that was chosen
    const given = uploads['ref_audio']
    // Browsers send an empty file without a name for a field that nobody filled in.
    const upload = given && (given.size > 0 || given.filename !== '') ? given : null
    if (upload || form.ref_text) synthesis.refuseCloning(model)
    const said = applyOverrides(form.text.normalize('NFC'))
    const paused = cutAtPauses(said)
    const spoken = paused ?? cutAtSentences(said, form.max_chunk_chars)
    if (spoken.length === 0) throw new Failure('INVALID_TASK_PARAMS', 'there is nothing to say besides pauses')
    const seed = seed32(form.seed) ?? Math.floor(random.unit() * 2 ** 31)
    const startedAt = clock.mono()
    const reference = upload ? await referenceOf(upload, signal) : null
    const record = await synthesis.submit({
      model,
      voice: presetOf(form.voice),
      segments: spoken.map(({ text, pauseAfterMs }, index) => ({ text, seed: (seed + index) >>> 0, pause_after_ms: pauseAfterMs })),
      parameters: engineParameters(form),
      ...(reference && { reference }),
      idempotencyKey: null,
      ephemeral: false, // it is read twice: while it is made, and to be joined
      traceparent,
    })
    // A script with pauses is told as one chunk: a listener who joins chunks must not lose a pause between them.
    const chunks = paused ? 1 : spoken.length
    return { record, spoken, chunks, seed, startedAt, crossfadeMs: chunks === 1 ? 0 : form.crossfade_ms, form }
  }
  type Begun = Awaited<ReturnType<typeof begin>>

  /** Waits for the end of the task, then joins, masters, marks and keeps it. */
  async function finish({ record, spoken, seed, startedAt, crossfadeMs, form }: Begun, signal: AbortSignal): Promise<Take> {
    const { id } = record.task
    const ended = await tasks.outcome(id, signal)
    const failure = failureOf(ended)
    if (failure) throw failure
    const {
      sample_rate: sampleRate,
      parts,
      notices,
    } = JSON.parse(ended.result!.result) as { sample_rate: number; parts: { samples: number }[]; notices: string[] }
    const silent = new Set<number>()
    const encoded = await media.encode({
      format: 'wav',
      sampleRate,
      source: joined(tasks.follow(id, signal), parts, Math.round((crossfadeMs * sampleRate) / 1000), silent),
      mark: provenance(record.spec),
      effects: form.effect_preset,
      master: form.effect_preset !== 'raw', // which promises the voice exactly as it was made
      signal,
    })
    const wav = await collect(encoded.body)
    const takeId = random.hex(4)
    const audioPath = `${takeId}.wav`
    await keepFile(join(audioFolder, audioPath), wav)
    const seconds = (wav.length - 44) / 2 / sampleRate
    const tookSeconds = (clock.mono() - startedAt) / 1000
    const voice = presetOf(form.voice)
    const notice = synthesis.notice(synthesis.offerFor(id, form.engine ?? 'tts-1'), voice, notices ?? [])
    history.add({
      id: takeId,
      text: firstCharacters(form.text, 200),
      mode: record.spec.inputs ? 'clone' : 'design',
      language: form.language || 'Auto',
      instruct: form.instruct ?? '',
      profile_id: form.profile_id ?? '',
      audio_path: audioPath,
      duration_seconds: seconds,
      generation_time: tookSeconds,
      seed,
      engine: record.spec.engine,
      voice: voice ?? '',
      notice: notice['x-svc-routing-reason'] ?? '',
    })
    const dropped = [...silent].map((index) => spoken[index]!.text)
    return {
      id: takeId,
      audioPath,
      wav,
      seconds,
      tookSeconds,
      seed,
      sampleRate,
      dropped,
      notice,
    }
  }

  const cutAgain = ({ record, chunks }: Begun, sampleRate: number, signal: AbortSignal) =>
    cutWhereChunksEnd(inChunks(tasks.follow(record.task.id, signal), chunks), chunks, async (source) => {
      const mark = provenance(record.spec)
      const { body } = await media.encode({ format: 'pcm', sampleRate, source, mark, effects: null, master: true, signal })
      return body
    })

  async function* lines(begun: Begun, signal: AbortSignal): AsyncGenerator<string> {
    const { id } = begun.record.task
    const sampleRate = synthesis.sampleRateOf(id)
    const line = (fields: object) => `${JSON.stringify(fields)}\n`
    try {
      yield line({
        type: 'start',
        sample_rate: sampleRate,
        channels: 1,
        format: 'pcm16',
        total_chunks: begun.chunks,
        crossfade_ms: begun.crossfadeMs,
        seed: begun.seed,
      })
      for await (const { seq, pcm } of cutAgain(begun, sampleRate, signal)) yield line({ type: 'chunk', seq, pcm: pcm.toString('base64') })
      const take = await finish(begun, signal)
      if (take.dropped.length > 0) yield line({ type: 'warning', code: 'dropped_chunks', count: take.dropped.length, text: take.dropped })
      yield line({
        type: 'done',
        id: take.id,
        audio_path: take.audioPath,
        duration: take.seconds,
        gen_time: take.tookSeconds,
        seed: take.seed,
        sample_rate: take.sampleRate,
        dropped_chunks: take.dropped.length,
      })
    } catch (error) {
      if (signal.aborted) return // nobody is there to read it
      const failure = Failure.from(error)
      const code = errorCode(failure)
      yield line({ type: 'error', code, detail: failure.message, retryable: code !== 'invalid_request' })
    }
  }

  return {
    async generate(
      form: GenerateForm,
      uploads: Readonly<Record<string, Upload>>,
      signal: AbortSignal,
      traceparent: string,
    ): Promise<Bytes> {
      const begun = await begin(form, uploads, signal, traceparent)
      const { id } = begun.record.task
      signal.addEventListener('abort', () => void tasks.cancel(id), { once: true })
      if (form.stream) {
        // The first byte decides whether this is an answer or an error with a status of its own.
        await synthesis.heard(id, signal).catch((error: unknown) => {
          throw explainGenerate(Failure.from(error))
        })
        return {
          headers: {
            'content-type': 'application/x-ndjson',
            'cache-control': 'no-cache',
            'x-seed': String(begun.seed),
            ...synthesis.notice(synthesis.offerFor(id, form.engine ?? 'tts-1'), presetOf(form.voice)),
          },
          body: lines(begun, signal),
        }
      }
      const take = await finish(begun, signal).catch((error: unknown) => {
        throw explainGenerate(Failure.from(error))
      })
      return {
        headers: {
          'content-type': 'audio/wav',
          'content-length': String(take.wav.length),
          'x-audio-id': take.id,
          'x-audio-path': take.audioPath,
          'x-gen-time': take.tookSeconds.toFixed(3),
          'x-audio-duration': take.seconds.toFixed(3),
          'x-seed': String(take.seed),
          ...(take.dropped.length > 0 && {
            'x-svc-dropped-chunks': String(take.dropped.length),
            'x-svc-dropped-text': headerText(take.dropped.join(' | ')),
          }),
          ...take.notice,
        },
        body: take.wav,
      }
    },
  }
}

/** At most `count` UTF-16 units, and no half of a pair at the end. */
const firstCharacters = (text: string, count: number): string => text.slice(0, count).replace(/[\ud800-\udbff]$/, '')
