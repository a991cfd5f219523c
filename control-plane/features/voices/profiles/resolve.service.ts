// Resolves the voice that a request names: a profile before a preset of the engine, and the default voice for a name that neither has. Reads
// one row at most and writes nothing, except for the first use of a designed voice, whose sample is rendered.
import { createHash } from 'node:crypto'
import { isDefaultVoice } from '#control-plane/inference/aliases.ts'
import { findVoice, type Offer, refuseUnpronounced, replacedVoice } from '#control-plane/inference/offers.ts'
import { canonicalJson, type Json } from '#control-plane/jobs/key.ts'
import { NATIVE_ENGINE } from '#shared/engines.ts'
import type { SpokenVoice, VoicesApi } from './api.ts'
import type { ProfileStore } from './store/profile.store.ts'
import type { StoredProfile } from './store/profile.ts'
import type { Samples } from './store/samples.ts'

type Deps = {
  readonly store: Pick<ProfileStore, 'find'>
  readonly samples: Pick<Samples, 'ensure'>
  readonly offered: () => readonly Offer[]
}
/** Raised when an equal voice would sound different. */
const VERSION = 1

export function createResolver({ store, samples, offered }: Deps): VoicesApi['resolve'] {
  return async (asked, engine, signal) => {
    if (asked === null || isDefaultVoice(asked)) return presetVoice(engine, null, '')
    const profile = store.find(asked)
    // A lock hides whether the design has a sample.
    if (profile) return profileVoice(profile.lockedDigest === null ? await samples.ensure(profile.id, signal) : profile)
    const speaking = offered().filter(({ operation }) => operation === 'tts')
    const own = speaking.filter((offer) => offer.engine === engine).flatMap(({ voices }) => voices)
    // The voices of an engine are unknown while no machine describes it, and for engines that list none.
    if (own.length === 0) return presetVoice(engine, asked, asked)
    // Every other engine may answer for the native one.
    const others = engine === NATIVE_ENGINE ? speaking.flatMap(({ voices }) => voices) : []
    const preset = findVoice(engine, own, asked) ?? others.find(({ id }) => id === asked)
    if (preset) return presetVoice(engine, preset.id, preset.name)
    refuseUnpronounced(engine, asked)
    return { ...presetVoice(engine, null, ''), remarks: [replacedVoice(asked, undefined)] }
  }
}

function profileVoice(profile: StoredProfile): SpokenVoice {
  const { instruct, language, seed } = profile
  const isLocked = profile.lockedDigest !== null
  const sha256 = isLocked ? profile.lockedDigest : profile.refDigest!
  const text = isLocked ? (profile.lockedText ?? '') : profile.refText
  return {
    profileId: profile.id,
    name: profile.name,
    preset: null,
    reference: { input: { name: 'reference', size: isLocked ? profile.lockedBytes : profile.refBytes, sha256 }, text },
    instruct: instruct || null,
    language: language === '' || language.toLowerCase() === 'auto' ? null : language,
    seed,
    staysHere: profile.staysHere,
    digest: digestOf({ recording: sha256, text, instruct, language, seed }),
    remarks: [],
  }
}

const presetVoice = (engine: string, preset: string | null, name: string): SpokenVoice => ({
  profileId: null,
  name,
  preset,
  reference: null,
  instruct: null,
  language: null,
  seed: null,
  staysHere: false,
  digest: digestOf({ engine, preset }),
  remarks: [],
})

const digestOf = (sound: Json): string =>
  createHash('sha256')
    .update(canonicalJson({ version: VERSION, sound }))
    .digest('hex')
