// The parts of stored takes: read, and another sound for one of them. A change of a take writes a new file and then the row that names it, so a
// kill in between leaves the take as it was.
import type { LibraryApi, TakeChunks } from '#control-plane/features/base/library/api.ts'
import type { MarkOf } from '#control-plane/features/base/watermark/api.ts'
import type { Result } from '#control-plane/tasks/record.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'
import { withoutAnnotations } from '#shared/text/pronunciation/annotation.ts'
import { chunkList } from '../generate.rules.ts'
import { GenerateForm } from '../speech.schema.ts'
import { Chunks, type TakePlan } from '../take.ts'
import type { Composer } from './compose.ts'
import { earlierParts, listedParts } from './listed-parts.ts'
import type { TakeParts } from './parts.contract.ts'
import { chosenSound, parsedScript, type TakeScript } from './take-script.ts'

export type TakePartsService = ReturnType<typeof createTakeParts>
type Deps = {
  readonly history: Pick<LibraryApi['history'], 'soundOf' | 'scriptOf' | 'revise'>
  readonly composer: Composer
  readonly markOf: MarkOf
  readonly random: Pick<Random, 'hex'>
}
/** The output of a task that spoke one part. */
type Spoken = { readonly sampleRate: number; readonly samples: number; readonly output: Result | null }

/** Sounds of one part. */
const MOST_SOUNDS = 20
const NAME_DIGITS = 8

export function createTakeParts({ history, composer, markOf, random }: Deps) {
  // One change at a time: each begins with what the one before it has stored.
  const inOrder = createSerialQueue()

  function required(id: string) {
    const row = history.soundOf(id)
    if (!row) throw new Failure('NOT_FOUND', 'This take does not exist. It may have been deleted.')
    const stored = history.scriptOf(id)
    return { row, text: stored?.text ?? row.text, script: stored && parsedScript(stored.script), isWhole: stored !== null }
  }

  function partOf(
    id: string,
    part: number,
  ): { readonly text: string; readonly script: TakeScript; readonly one: TakeScript['parts'][number] } {
    const { text, script } = required(id)
    if (!script) throw new Failure('CONFLICT', 'The parts of this take were not kept. Speak its text again to change single sentences.')
    const one = script.parts[part]
    if (!one) throw new Failure('NOT_FOUND', 'The take has no such part.')
    return { text, script, one }
  }

  function list(id: string): TakeParts {
    const { row, text, script, isWhole } = required(id)
    const common = { id, text, whole: isWhole, audio_path: row.audio_path, duration: row.duration_seconds }
    if (script) return { ...common, repeatable: !script.wasUploaded, settings: script.asked, parts: listedParts(text, script) }
    const chunks = chunksOf(row.chunks)
    return { ...common, repeatable: false, settings: {}, parts: chunks ? earlierParts(text, chunks) : [] }
  }

  /**
   * Writes the file `name` of a take whose parts are those of `script`, and the row. Returns the length in seconds. `added`: the part whose sound
   * is new. Throws NON_FINITE_OUTPUT for one that is silent. No file stays of a change that fails.
   */
  async function store(id: string, text: string, script: TakeScript, name: string, signal: AbortSignal, added: number | null = null) {
    try {
      return await written(id, text, script, name, signal, added)
    } catch (error) {
      if (history.soundOf(id)?.audio_path !== name) composer.discard(name)
      throw error
    }
  }

  async function written(id: string, text: string, script: TakeScript, name: string, signal: AbortSignal, added: number | null) {
    const { sampleRate, leadMs, crossfade, effects, files, engine } = script
    const sounds = script.parts.map((part) => chosenSound(script, part))
    const pieces = () => composer.spliced(sounds, nothing(), sounds)
    const mark = markOf({ engine, params: JSON.stringify([id, sounds]) })
    const look = { sampleRate, leadMs, crossfade, effects, mark }
    const { bytes, seconds, silent } = await composer.compose(name, { pieces, parts: sounds }, look, signal)
    if (added !== null && silent.has(added)) throw noSound()
    const segments = script.parts.map(({ spoken }) => ({ text: spoken }))
    const chunks = JSON.stringify(chunkList({ taskId: null, sampleRate, leadMs, crossfade, segments, parts: sounds, silent }))
    const parts = script.parts.map((part, index) => (silent.has(index) ? asSilent(part) : part))
    const stored = { text, script: JSON.stringify({ ...script, parts }), digests: files }
    if (!history.revise(id, { audio_path: name, duration_seconds: seconds, chunks, script: stored }))
      throw new Failure('NOT_FOUND', 'The take was deleted while it was changed.')
    return { bytes, seconds }
  }

  function refuseMore({ sounds }: Pick<TakeScript['parts'][number], 'sounds'>): void {
    if (sounds.length >= MOST_SOUNDS)
      throw new Failure('CONFLICT', `A sentence can have at most ${MOST_SOUNDS} sounds. Choose one of them, or change its words.`)
  }

  return {
    /** Throws NOT_FOUND. */
    list,
    /** Throws NOT_FOUND for the take, the part and the sound; INPUT_UNAVAILABLE, STORAGE_FULL. */
    choose: (id: string, part: number, chosen: number, signal: AbortSignal): Promise<TakeParts> =>
      inOrder(async () => {
        const { text, script, one } = partOf(id, part)
        if (!one.sounds[chosen]) throw new Failure('NOT_FOUND', 'The part has no such sound.')
        if (chosen !== one.chosen) {
          const parts = script.parts.with(part, { ...one, chosen })
          await store(id, text, { ...script, parts }, `${id}-${random.hex(NAME_DIGITS / 2)}.wav`, signal)
        }
        return list(id)
      }),

    /**
     * The form of a request that speaks a part again as the take was spoken, and the plan of it from that of the form. Throws NOT_FOUND, and CONFLICT
     * for a take whose voice came with its request; the plan throws CONFLICT for a voice that has another recording or none now.
     */
    again(id: string, part: number): { readonly form: GenerateForm; readonly planOf: (plan: TakePlan) => TakePlan } {
      const { script, one } = partOf(id, part)
      if (script.wasUploaded)
        throw new Failure('CONFLICT', 'The recording of this voice was sent with the text and was not kept. Speak the text again.')
      refuseMore(one)
      const seed = (one.seed + one.sounds.length) % 2 ** 32
      return {
        form: formOf(script, one, seed),
        planOf({ script: _, whole: _whole, ...plan }) {
          if ((plan.reference?.sha256 ?? '') !== script.reference)
            throw new Failure('CONFLICT', 'The voice of this take was deleted or has another recording now. Speak all of the text again.')
          const segments = [{ text: one.spoken, seed, pause_after_ms: one.pauseMs }]
          return { ...plan, params: { ...plan.params, segments }, chunks: 1, leadMs: 0, crossfadeMs: 0, again: { take: id, part } }
        },
      }
    },

    /**
     * Puts a new sound into the take of `plan`. The same job does it once. Throws CONFLICT for a sound of another rate and one too many,
     * NON_FINITE_OUTPUT for none.
     */
    revised: (plan: TakePlan, job: string, { sampleRate, samples, output }: Spoken, signal: AbortSignal) =>
      inOrder(async () => {
        const { take: id, part } = plan.again!
        const { text, script, one } = partOf(id, part)
        if (sampleRate !== script.sampleRate)
          throw new Failure('CONFLICT', 'The voice now speaks in another quality than in this take. Speak all of the text again.')
        const digest = await composer.keepOutput(output)
        if (digest === null) throw noSound()
        const isSame = (file: number, length: number) => script.files[file] === digest && length === samples
        const known = one.sounds.findIndex(({ file, samples: length }) => isSame(file, length))
        if (known < 0) refuseMore(one)
        const files = script.files.includes(digest) ? script.files : [...script.files, digest]
        const sounds = known >= 0 ? one.sounds : [...one.sounds, { file: files.indexOf(digest), at: 0, samples }]
        const chosen = known >= 0 ? known : sounds.length - 1
        const next = { ...script, files, parts: script.parts.with(part, { ...one, sounds, chosen }) }
        const audioPath = `${id}-${job.slice(0, NAME_DIGITS)}.wav`
        return { id, audioPath, ...(await store(id, text, next, audioPath, signal, part)) }
      }),
  }
}

const noSound = () => new Failure('NON_FINITE_OUTPUT', 'The engine made no sound for this sentence. The take stays as it was.')

async function* nothing(): AsyncGenerator<never> {}

function asSilent({ sounds, chosen, ...part }: TakeScript['parts'][number]): TakeScript['parts'][number] {
  return { ...part, chosen, sounds: sounds.with(chosen, { ...sounds[chosen]!, silent: true }) }
}

function chunksOf(json: string): TakeChunks | null {
  try {
    return Chunks.safeParse(JSON.parse(json)).data ?? null
  } catch {
    return null
  }
}

/** Read as a request is, because the settings may come from the database of a backup. */
function formOf(
  { asked, engine, voice, speed, language, sampleRate }: TakeScript,
  { spoken: words, sounds: [first] }: TakeScript['parts'][number],
  seed: number,
): GenerateForm {
  const fields = Object.entries(asked).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  const form = Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))
  const whole = { max_chunk_chars: '0', text_format: 'text', pronounce: 'false', seed: String(seed), speed: String(speed) }
  const spoken = { engine, ...(voice !== '' && { voice, profile_id: '' }), ...(language !== null && { language }) }
  // A duration is that of the whole take; the part keeps its own.
  const seconds = first!.samples / sampleRate
  const length = { duration: 'duration' in form && seconds > 0 ? String(seconds) : '' }
  const text = withoutAnnotations(words)
  return GenerateForm.parse({ ...form, ...spoken, ...length, ...whole, text, stream: 'false', hosted: 'false' })
}
