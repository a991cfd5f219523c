// The voices of a dub: what each line names, resolved to everything that its takes depend on.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { type Dub, ownEntry } from '#control-plane/features/dubbing/store/dub.ts'
import type { DubFiles } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import type { SpeechApi } from '#control-plane/features/speech/speech/api.ts'
import { type Alphabet, alphabetOf, bestOf, type Offer, offersAt, replacedPreset, runs } from '#control-plane/inference/offers.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { castableVoices, havingVoices, inPlaceOf, voicesNeeded } from '#control-plane/inference/substitutes.ts'
import type { SpeechParams } from '#control-plane/inference/synthesis.ts'
import { canonicalJson } from '#control-plane/jobs/key.ts'
import type { TaskInput } from '#control-plane/tasks/record.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { engineRow, NATIVE_ENGINE } from '#shared/engines.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { DubPresets } from '../voices/presets.service.ts'
import { AUTO_VOICE, autoSpeaker, isAutomatic, substituteSentence } from './manifest.ts'
import type { KeyedVoice } from './takes.rules.ts'

type Voiced = Awaited<ReturnType<SpeechApi['voicing']['of']>>
export type DubVoice = KeyedVoice & {
  readonly params: Pick<SpeechParams, 'voice' | 'instruct' | 'ref_text'>
  /** Ids of voices that a machine must have; empty for a recording and for a voice that no machine had when the dub was cast. */
  readonly voiceIds: readonly string[]
  readonly reference: TaskInput | null
  /** The file of dubs with the recording, in place of `reference`. */
  readonly clip: string | null
  /** SHA-256 of the recording whose voice it has; null for a voice of an engine. */
  readonly recording: string | null
  /** 'auto', 'local' or a worker id. */
  readonly where: string
  readonly speaker: Voiced['speaker']
  readonly reactions: readonly string[]
  /** Words in other scripts are left out; empty: none are. Absent in plans of older versions. */
  readonly scripts?: readonly string[]
  /** Absent in plans of older versions. */
  readonly alphabet?: Alphabet | null
  /** Absent in plans of older versions. */
  readonly takesDuration?: boolean
}
export type VoiceRequest = {
  readonly engine: string
  /** A profile, a voice of the engine, `auto:<speaker>`, or empty for the speaker's own. */
  readonly profileId: string
  readonly speakerId: string
  readonly lineId: string
  readonly instruct: string
  readonly language: string | null
  /** Tells the language where none is named. */
  readonly text: string
  readonly voiceMatch: 'per_line' | 'consistent'
  /** The speakers without a voice of their own, in the order in which they appear. */
  readonly others: readonly string[]
}
/** Sentences for the listener. `routing`: about what answers, and where. */
export type CastLine = { readonly voice: DubVoice; readonly notices: readonly string[]; readonly routing: readonly string[] }
export type DubCasting = ReturnType<typeof createDubCasting>
type Deps = {
  readonly speech: Pick<SpeechApi, 'voicing' | 'synthesis'>
  readonly files: Pick<DubFiles, 'find' | 'pathOf'>
  readonly inference: Pick<Inference, 'keepInput'>
  readonly offered: () => readonly Offer[]
  /** The machine that the owner chose for dubs. */
  readonly target: () => string
  /** True if a machine is approved and may speak dubs now. */
  readonly isUsable: (workerId: string) => boolean
  readonly presets: DubPresets
}
const ClipDetail = z.object({ text: z.string().optional() })

export function createDubCasting({ speech: { voicing, synthesis }, files, inference, offered, target, isUsable, presets }: Deps) {
  // A machine without approval must not decide which model a dub begins with, because it never speaks.
  const able = (where: string) =>
    offersAt(offered(), where).filter((offer) => offer.operation === 'tts' && runs(offer) && isUsable(offer.workerId))
  const clones = (engine: string) => able(target()).some((offer) => offer.engine === engine && offer.cloning)
  /** False while no machine with the engine is connected: the dub waits for it. */
  const cannotClone = (engine: string) => !clones(engine) && able(target()).some((offer) => offer.engine === engine)

  /**
   * The clip of a line; null for one that has none, and for an automatic voice where the engine cannot clone. Throws BAD_REQUEST for a speaker
   * whose voice was asked for and is not known.
   */
  function clipOf({ options }: Dub, asked: VoiceRequest): string | null {
    const { profileId, speakerId, lineId, voiceMatch, engine } = asked
    const isAsked = profileId.startsWith(AUTO_VOICE)
    if (profileId !== '' && !isAsked) return null
    const speaker = isAsked ? profileId.slice(AUTO_VOICE.length) : speakerId
    const own = voiceMatch === 'per_line' && speaker === speakerId ? ownEntry(options.segment_clones, lineId) : undefined
    const clip = own ?? ownEntry(options.clone_files, speaker) ?? null
    if (clip === null && isAsked)
      throw new Failure('BAD_REQUEST', `There is no recording of ${speaker.slice(0, 64)} in this film. Choose another voice for its lines.`)
    if (isAsked && isAutomatic(asked) && cannotClone(engine)) return null
    return isAsked || clones(engine) ? clip : null
  }

  /** Another voice of the engine for each speaker, while there are enough, near in pitch; null for its default voice. */
  async function presetOf(
    dub: Dub,
    { engine: model, language, text, others, ...asked }: VoiceRequest,
    signal: AbortSignal,
  ): Promise<string | null> {
    const speaker = autoSpeaker(asked)
    if (!others.includes(speaker)) return null
    const { engine } = synthesis.choiceOf(model, { language, voice: null, segments: [{ text }] }, target(), false)
    const short = language?.toLowerCase().split(/[-_]/)[0] ?? 'en'
    const fitting = castableVoices(engine, short, able(target()), synthesis.engineOf(model) === NATIVE_ENGINE)
    if (fitting.length < 2) return null
    return (await presets(dub.id, { engine, language: short, voices: fitting, speakers: others }, signal)).get(speaker) ?? null
  }

  /**
   * Throws what a speech request with such a voice throws, BAD_REQUEST for a voice of the film that is not known, NO_CAPABLE_WORKER while no
   * machine can speak with the engine.
   */
  async function cast(dub: Dub, asked: VoiceRequest, signal: AbortSignal): Promise<CastLine> {
    const { profileId, instruct, language, text } = asked
    const clip = clipOf(dub, asked)
    const isReplaced = clip === null && profileId.startsWith(AUTO_VOICE)
    const named = clip !== null ? null : isReplaced ? await presetOf(dub, asked, signal) : profileId || (await presetOf(dub, asked, signal))
    const voiced = await voicing.of(
      { model: asked.engine, voice: named, instruct: instruct || null, language, refText: null, seed: null },
      signal,
    )
    const { model } = voiced
    const file = clip === null ? null : await files.find(clip)
    if (clip !== null && !file) throw new Failure('INPUT_UNAVAILABLE', 'The recording of a speaker was deleted. Transcribe the film again.')
    const transcript = file ? (ClipDetail.safeParse(JSON.parse(file.detail)).data?.text ?? null) : voiced.params.ref_text
    const recording = clip ?? voiced.reference?.sha256 ?? null
    const where = voiced.target ?? target()
    const own = { voice: voiced.params.voice ?? null, instruct: voiced.params.instruct ?? null, ref_text: transcript ?? null }
    const choice = synthesis.choiceOf(
      model,
      { language: voiced.params.language ?? null, voice: own.voice, segments: [{ text }] },
      where,
      recording !== null,
    )
    const voiceIds = voicesNeeded(choice.engine, own.voice, able(where))
    const best = bestOf(havingVoices(able(where), choice.engine, voiceIds), choice.engine, 'tts')
    if (!best) throw new Failure('NO_CAPABLE_WORKER', `No connected machine can speak with ${choice.engine} now.`)
    const voice: DubVoice = {
      engine: choice.engine,
      implementation: best.implementation,
      modelDigest: best.model_digest ?? '',
      language: choice.language,
      digest: digestOf({ ...own, recording, seed: voiced.seed }),
      params: own,
      voiceIds,
      reference: clip === null ? voiced.reference : null,
      clip,
      recording,
      where,
      speaker: voiced.speaker,
      reactions: best.stands_in === '' ? (engineRow(choice.engine)?.reactions ?? []) : [],
      takesDuration: engineRow(choice.engine)?.takesDuration === true,
      scripts: best.scripts ?? [],
      alphabet: alphabetOf(able(where), choice.engine),
    }
    const replaced = replacedPreset({ preset: voiced.preset, sent: own.voice }, best, choice.language)
    const notices = [
      ...voiced.remarks,
      ...(replaced === null ? [] : [replaced]),
      ...(isReplaced ? [substituteSentence(model, [autoSpeaker(asked)])] : []),
    ]
    const substitute = inPlaceOf(synthesis.engineOf(model), best, choice.language)?.stands_in ?? ''
    return { voice, notices, routing: substitute === '' ? [] : [substitute] }
  }

  return {
    cast,
    cannotClone,
    /**
     * Machine for a task of this voice now; null while none has the model and the voice that the dub began with. A dub never mixes models
     * or voices. `isAgain`: another machine returned no speech for it, so this machine speaks it if it is allowed and can.
     */
    placeOf({ where, engine, implementation, modelDigest, voiceIds }: DubVoice, isAgain = false): string | null {
      const offers = havingVoices(able(where), engine, voiceIds).filter((one) => one.engine === engine)
      const hasModel = (one: Offer) => (one.model_digest ?? '') === modelDigest
      const same = offers.filter((one) => one.implementation === implementation && hasModel(one))
      if (same.length === 0) return null
      if (isAgain && same.some(({ workerId }) => workerId === LOCAL)) return LOCAL
      // Tasks name the digest of the model, so machines with another one do not receive them.
      const rivals = modelDigest === '' ? offers : offers.filter(hasModel)
      if (same.length === rivals.length) return where
      return bestOf(same, engine, 'tts')?.workerId ?? null
    },
    /** Throws CANCELLED if the recording of a voice was withdrawn since it was cast. */
    refuseWithdrawn: ({ speaker, reference }: DubVoice): void => voicing.refuseWithdrawn(speaker, reference),
    /** The recording for a task. Throws CANCELLED if it was withdrawn, INPUT_UNAVAILABLE, STORAGE_FULL. */
    async referenceOf({ clip, reference, speaker }: DubVoice): Promise<TaskInput | null> {
      if (clip === null) {
        voicing.refuseWithdrawn(speaker, reference)
        return reference
      }
      const bytes = await readFile(files.pathOf(clip)).catch((cause: unknown) => {
        throw new Failure('INPUT_UNAVAILABLE', 'The recording of a speaker was deleted. Transcribe the film again.', { cause })
      })
      return await inference.keepInput('reference', bytes)
    },
  }
}

const digestOf = (parts: Parameters<typeof canonicalJson>[0]): string => createHash('sha256').update(canonicalJson(parts)).digest('hex')
