// The voice of a speech request: what the request names, resolved to what its task receives. Fields of the request win over those of a profile.

import type { SpokenVoice, VoiceProfile, VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import { isDefaultVoice, voiceOfEngine } from '#control-plane/inference/aliases.ts'
import { designRefusal } from '#control-plane/inference/missing-model.ts'
import { defaultVoiceOf, findVoice, type Offer } from '#control-plane/inference/offers.ts'
import type { Run } from '#control-plane/inference/run.ts'
import { type Synthesis, spokenLanguage } from '#control-plane/inference/synthesis.ts'
import type { TaskInput } from '#control-plane/tasks/record.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { Failure } from '#shared/protocol/failure.ts'

/** Statements of a request about its voice; null for what it leaves open. */
export type Asked = {
  /** A public model name. */
  readonly model: string
  /** A profile id, a preset of the engine or with its engine (`flite:rms`), an alias or nothing. */
  readonly voice: string | null
  readonly instruct: string | null
  readonly language: string | null
  readonly refText: string | null
  readonly seed: number | null
}
/** The speaker: a profile, a voice of the engine, or with an empty name its default voice. */
export type SpeakingVoice = { readonly profileId: string | null; readonly kind: 'clone' | 'design' | null; readonly name: string }
export type Voiced = {
  /** The model that speaks: the one that was asked for, or the engine that the voice names. */
  readonly model: string
  /** Null for the seed that the request and the profile leave open. */
  readonly seed: number | null
  readonly params: Readonly<Record<'voice' | 'instruct' | 'language' | 'ref_text', string | null>>
  readonly reference: TaskInput | null
  /** Target of the task; null for the one that the owner chose. */
  readonly target: string | null
  readonly speaker: SpeakingVoice
  /** The voice of the engine that was asked for, also one that it does not have; null for a profile and for the default voice. */
  readonly preset: string | null
  /** Sentences for the caller; that a preset does not exist is said when the machine that answers is known. */
  readonly remarks: readonly string[]
}
export type Voicing = ReturnType<typeof createVoicing>
type Deps = {
  readonly voices: Pick<VoicesApi, 'find' | 'resolve' | 'designEngine'>
  readonly synthesis: Pick<Synthesis, 'engineOf' | 'cloningEngine' | 'isEngine' | 'engineWithVoice'>
  /** The machine that the owner chose for speech. */
  readonly target: () => string
}
export const NO_SPEAKER: SpeakingVoice = { profileId: null, kind: null, name: '' }

export function createVoicing({ voices, synthesis, target }: Deps) {
  function targetOf({ staysHere }: Pick<SpokenVoice, 'staysHere'>): string | null {
    return staysHere && target() !== LOCAL ? LOCAL : null
  }

  function refuseWithdrawn({ profileId }: SpeakingVoice, reference: TaskInput | null): void {
    if (profileId === null || reference === null) return
    const profile = voices.find(profileId)
    if (profile?.staysHere && reference.private !== true)
      throw new Failure(
        'CANCELLED',
        'The recording of this voice now stays on this machine. Request the take again: this machine speaks it.',
      )
    if (profile && [profile.refDigest, profile.lockedDigest].includes(reference.sha256)) return
    throw new Failure(
      'CANCELLED',
      'The voice of this take was deleted or has another recording now. Request the take again with a voice of the list.',
    )
  }

  /** The engine that the name of a voice means, with its own name for it; null for the engine of the request. */
  function ownEngineOf(model: string, name: string) {
    const engine = synthesis.engineWithVoice(model, name)
    return engine === null ? voiceOfEngine(name, synthesis.isEngine) : { engine, voice: name }
  }

  return {
    /**
     * Throws what `Synthesis.start` throws for a profile and an engine that cannot clone, before a designed voice is rendered; MODEL_NOT_DOWNLOADED
     * without an engine that renders it, and 503 if that fails.
     */
    async of({ model: openModel, voice: name, ...request }: Asked, signal: AbortSignal): Promise<Voiced> {
      const profile = name === null || isDefaultVoice(name) ? null : voices.find(name)
      const own = profile || name === null || isDefaultVoice(name) ? null : ownEngineOf(openModel, name)
      const [model, asked] = own ? [own.engine, own.voice] : [openModel, name]
      const source = profile && isUnrendered(profile) ? 'description' : 'reference'
      const engine = profile ? synthesis.cloningEngine(model, targetOf(profile), source) : synthesis.engineOf(model)
      const spoken = await voices.resolve(asked, engine, signal).catch((error: unknown) => {
        throw source === 'description' && Failure.from(error).code === 'VOICE_UNAVAILABLE' && voices.designEngine() === null
          ? designRefusal()
          : error
      })
      const where = targetOf(spoken)
      const { reference, profileId } = spoken
      const isPreset = profileId === null && asked !== null && !isDefaultVoice(asked)
      return {
        model,
        seed: request.seed ?? spoken.seed,
        params: {
          voice: spoken.preset,
          instruct: request.instruct || spoken.instruct,
          language: named(request.language) ?? named(spoken.language),
          ref_text: request.refText || reference?.text || null,
        },
        reference: reference && { ...reference.input, ...(spoken.staysHere && { private: true }) },
        target: where,
        preset: isPreset ? (spoken.preset ?? asked) : null,
        speaker: { profileId, kind: profile?.kind ?? null, name: spoken.name },
        remarks: [
          ...(where === null
            ? []
            : [`The recording of ${spoken.name} stays on this machine, so this machine was used. Its profile can permit others.`]),
          ...(isPreset ? [] : spoken.remarks),
        ],
      }
    },
    /** Error of a task that ended with this one: the reason if its voice was withdrawn, otherwise the error itself. */
    withdrawnBy(error: unknown, speaker: SpeakingVoice, reference: TaskInput | null): unknown {
      if (!(error instanceof Failure) || error.code !== 'CANCELLED') return error
      try {
        refuseWithdrawn(speaker, reference)
        return error
      } catch (reason) {
        return reason
      }
    },
    /** Throws CANCELLED if the recording of a planned task is no longer that of its profile, or must stay here and was planned to leave. */
    refuseWithdrawn,
  }
}

/** A design whose sample is rendered with its first use. */
const isUnrendered = ({ kind, refDigest, lockedDigest }: VoiceProfile): boolean =>
  kind === 'design' && refDigest === null && lockedDigest === null

type Answering = {
  readonly speaker: SpeakingVoice
  /** The voice of the engine that was asked for. */
  readonly preset: string | null
  readonly run: Run<'tts'>
  /** Offer of the machine that answers; undefined if it has disconnected. */
  readonly offer: Pick<Offer, 'engine' | 'voices'> | undefined
  /** Voice that the engine reported; null before the task has ended. */
  readonly reported: string | null
}
/**
 * The id for an answer: of the profile, or of the voice of the engine that speaks. `default` for a default voice that the machine does not
 * name; null for a voice of an engine that lists none, until the engine has reported it.
 */
export function speakerId({ speaker: { profileId }, preset, run, offer, reported }: Answering): string | null {
  if (profileId !== null) return profileId
  if (reported !== null) return reported
  if (run.spec.inputs?.some(({ name }) => name === REFERENCE)) return REFERENCE
  const voices = offer?.voices ?? []
  if (offer && preset !== null && findVoice(offer.engine, voices, preset)?.id === preset) return preset
  if (preset !== null && voices.length === 0) return null
  return defaultVoiceOf(voices, spokenLanguage(run))?.id ?? 'default'
}
/** The input with an uploaded recording, and what engines call its voice. */
const REFERENCE = 'reference'

const named = (language: string | null): string | null => (language && language.toLowerCase() !== 'auto' ? language : null)
