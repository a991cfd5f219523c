// Casts a book: every voice of its script becomes a fixed engine, model and recording before the first segment is rendered, so that segments
// which are rendered at different times and on different machines belong together.
import { createHash } from 'node:crypto'
import type { SpeechApi } from '#control-plane/features/speech/speech/api.ts'
import type { VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import { type Alphabet, alphabetOf, bestOf, type Offer, offersAt, replacedPreset, runs } from '#control-plane/inference/offers.ts'
import { havingVoices, inPlaceOf, voicesNeeded } from '#control-plane/inference/substitutes.ts'
import type { SpeechParams } from '#control-plane/inference/synthesis.ts'
import { canonicalJson } from '#control-plane/jobs/key.ts'
import type { TaskInput } from '#control-plane/tasks/record.ts'
import { engineRow } from '#shared/engines.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { castingSentence } from '../levels/casting-sentence.rules.ts'
import type { BookManifest, BookSpan } from './manifest.ts'
import { type BookSegment, type BookVoice, loneSegment } from './segments.rules.ts'

type Voiced = Awaited<ReturnType<SpeechApi['voicing']['of']>>
export type CastVoice = BookVoice & {
  readonly params: Pick<SpeechParams, 'voice' | 'instruct' | 'ref_text'>
  readonly reference: TaskInput | null
  /** The recording of a voice that the engine invented; null for every other voice. */
  readonly openReference: (() => Promise<TaskInput>) | null
  /**
   * Target of its tasks now: 'auto', 'local' or a worker id. Throws NO_CAPABLE_WORKER while no machine has the model of the book's start.
   */
  readonly targetNow: () => string
  /** Segment that it speaks before the first chapter. */
  readonly casting: BookSegment<CastVoice>
  /** Neither a recording nor a voice of the engine: without a recording, every task would have another speaker. */
  readonly isInvented: boolean
  /** Tags for sounds that its engine makes; others are left out. */
  readonly reactions: readonly string[]
  /** Words in other scripts are left out; empty: none are. */
  readonly scripts: readonly string[]
  /** Its engine speaks CMU symbols in square brackets. */
  readonly alphabet: Alphabet | null
  /** Decibels that bring it to the loudness of the other voices; 0 before it is measured. */
  readonly gainDb: number
  /** Hz, as the machine announced it. */
  readonly sampleRate: number
  /** To find out whether its recording was withdrawn. */
  readonly voiced: Pick<Voiced, 'speaker' | 'reference'>
}
export type Cast = {
  readonly voiceOf: (span: Pick<BookSpan, 'voice'>) => CastVoice
  /** Sentences for the listener. */
  readonly notices: readonly string[]
}
export type Casting = ReturnType<typeof createCasting>
type Deps = {
  readonly voices: Pick<VoicesApi, 'find' | 'list'>
  readonly speech: Pick<SpeechApi, 'voicing' | 'synthesis'>
  readonly offered: () => readonly Offer[]
  /** The machine that the owner chose for speech. */
  readonly target: () => string
  readonly clock: Clock
}
/** The voice of an engine that invents a speaker for each task. */
const DEFAULT = 'default'
/** After a start, the agents need a moment to connect. */
const MACHINE_WAIT_MS = 60_000
const LOOK_MS = 200
/** Each is resolved, and each missing one is reported. */
const MAX_VOICES = 500
/** UTF-16 units that tell the language of a book. */
const LANGUAGE_CHARS = 4_000

export function createCasting({ voices, speech, offered, target, clock }: Deps) {
  const able = (where: string) => offersAt(offered(), where).filter((offer) => offer.operation === 'tts' && runs(offer))

  async function machineAt(where: string, signal: AbortSignal): Promise<void> {
    const until = clock.mono() + MACHINE_WAIT_MS
    while (able(where).length === 0) {
      if (clock.mono() > until) throw new Failure('NO_CAPABLE_WORKER', 'No connected machine can speak. Connect one, then resume the book.')
      await clock.sleep(LOOK_MS, signal)
    }
  }

  /** A profile of this name; otherwise the name itself. */
  function named(asked: string | null): string | null {
    if (asked === null || voices.find(asked)) return asked
    const wanted = composed(asked).toLowerCase()
    return voices.list().find(({ name }) => composed(name).toLowerCase() === wanted)?.id ?? asked
  }

  /** Machines may connect, leave and change their models while a book is rendered, and a book never mixes models or voices. */
  function targetOf(where: string, { engine, implementation, model_digest }: Offer, voiceIds: readonly string[]): string {
    const offers = havingVoices(able(where), engine, voiceIds).filter((one) => one.engine === engine)
    const same = offers.filter((one) => one.implementation === implementation && (one.model_digest ?? '') === (model_digest ?? ''))
    if (offers.length > 0 && same.length === offers.length) return where
    const best = bestOf(same, engine, 'tts')
    if (best) return best.workerId
    throw new Failure('NO_CAPABLE_WORKER', `No connected machine has the model and the voice of ${engine} that the book began with.`)
  }

  async function cast(asked: string | null, manifest: BookManifest, text: string, signal: AbortSignal) {
    const { language, seed, sampling } = manifest
    const wanted = named(asked)
    const voiced = await speech.voicing.of({ model: manifest.model, voice: wanted, instruct: null, language, refText: null, seed }, signal)
    const { model, params, reference } = voiced
    const where = voiced.target ?? target()
    const segments = [{ text }]
    const choice = speech.synthesis.choiceOf(
      model,
      { language: params.language ?? null, voice: params.voice ?? null, segments },
      where,
      reference !== null,
    )
    const preset = params.voice ?? null
    const voiceIds = voicesNeeded(choice.engine, preset, able(where))
    const offers = havingVoices(able(where), choice.engine, voiceIds).filter(({ engine }) => engine === choice.engine)
    const best = bestOf(offers, choice.engine, 'tts')
    if (!best) throw new Failure('NO_CAPABLE_WORKER', `No connected machine can speak with ${choice.engine} now.`)
    const isSame = (one: Offer) => one.implementation === best.implementation && (one.model_digest ?? '') === (best.model_digest ?? '')
    const isUniform = offers.every(isSame)
    const own = { voice: preset, instruct: params.instruct ?? null, ref_text: params.ref_text ?? null }
    const described = digestOf({ ...own, reference: reference?.sha256 ?? null })
    const isPreset = own.voice !== null && own.voice !== DEFAULT
    const isInvented = best.cloning && best.voices.every(({ id }) => id === DEFAULT) && reference === null && !isPreset
    const plain = {
      id: digestOf({ engine: choice.engine, language: choice.language, voiceDigest: described }),
      engine: choice.engine,
      implementation: best.implementation,
      modelDigest: best.model_digest ?? '',
      voiceDigest: described,
      language: choice.language,
      seed: voiced.seed,
      params: own,
      reference,
      openReference: null,
      targetNow: () => targetOf(where, best, voiceIds),
      sampleRate: best.sample_rate,
      isInvented,
      reactions: best.stands_in === '' ? (engineRow(choice.engine)?.reactions ?? []) : [],
      scripts: best.scripts ?? [],
      alphabet: alphabetOf(offers, choice.engine),
      gainDb: 0,
      voiced,
    }
    const casting: BookSegment<CastVoice> = loneSegment(
      {
        ...plain,
        get casting() {
          return casting
        },
      },
      castingSentence(choice.language),
      sampling,
      seed,
    )
    // The digest of an invented voice is that of its recording: the key of the sentence names all that the recording depends on.
    const voiceDigest = isInvented ? digestOf({ casting: casting.key }) : described
    const voice: CastVoice = isInvented
      ? { ...plain, casting, voiceDigest, id: digestOf({ engine: choice.engine, language: choice.language, voiceDigest }) }
      : casting.speaker
    const substitute = inPlaceOf(speech.synthesis.engineOf(model), best, choice.language)?.stands_in ?? ''
    const replaced = replacedPreset({ preset: voiced.preset, sent: own.voice }, best, choice.language)
    const notices = [
      ...voiced.remarks,
      ...(replaced === null ? [] : [replaced]),
      ...(substitute === '' ? [] : [substitute]),
      ...(isUniform ? [] : [`The machines have different models of ${choice.engine}, so one machine renders the whole book.`]),
    ]
    return { voice, notices }
  }

  return {
    /** Waits for a machine. Throws NO_CAPABLE_WORKER, and what a speech request with such a voice throws. */
    async cast(manifest: BookManifest, signal: AbortSignal): Promise<Cast> {
      await machineAt(target(), signal)
      const map = new Map(Object.entries(manifest.voiceMap).map(([name, id]) => [folded(name), id]))
      const nameOf = (span: Pick<BookSpan, 'voice'>): string | null => {
        const asked = span.voice ?? manifest.defaultVoice
        return asked === null ? null : (map.get(folded(asked)) ?? asked)
      }
      const voicesByName = new Map<string | null, CastVoice>()
      const notices = new Set<string>()
      const text = startOf(manifest)
      for (const { spans } of manifest.chapters)
        for (const span of spans) {
          const name = nameOf(span)
          if (voicesByName.has(name)) continue
          if (voicesByName.size === MAX_VOICES)
            throw new Failure('BAD_REQUEST', `The book names more than ${MAX_VOICES} voices. Check its [voice:…] tags.`)
          const { voice, notices: said } = await cast(name, manifest, text, signal)
          voicesByName.set(name, voice)
          for (const one of said) notices.add(one)
        }
      if (manifest.unused.length > 0) notices.add(`No engine uses ${manifest.unused.join(', ')}.`)
      return { voiceOf: (span) => voicesByName.get(nameOf(span))!, notices: [...notices] }
    },
  }
}

const folded = (name: string): string => composed(name).trim().toLowerCase()
const digestOf = (parts: Parameters<typeof canonicalJson>[0]): string => createHash('sha256').update(canonicalJson(parts)).digest('hex')

function startOf({ chapters }: BookManifest): string {
  let text = ''
  for (const { spans } of chapters)
    for (const span of spans) {
      if (text.length > LANGUAGE_CHARS) return text
      text += `${span.text} `
    }
  return text
}
