// Resolves the voice that a request names.
import { createHash } from 'node:crypto'
import { isDefaultVoice } from '../../inference/aliases.ts'
import type { Offer } from '../../inference/offers.ts'
import type { SpokenVoice, VoicesApi } from './api.ts'
import type { ProfileStore } from './profiles/profile.store.ts'
import type { StoredProfile } from './profiles/profile.ts'
import type { Samples } from './profiles/samples.ts'

type Deps = {
  readonly store: Pick<ProfileStore, 'find'>
  readonly samples: Samples
  readonly offered: () => readonly Offer[]
}

export function createResolver({ store, samples, offered }: Deps): VoicesApi['resolve'] {
  return async (asked, engine, signal) => {
    if (asked === null || isDefaultVoice(asked)) return presetVoice(null, '')
    const profile = store.find(asked)
    // A lock hides whether the design has a sample.
    if (profile) return profileVoice(profile.lockedDigest === null ? await samples.ensure(profile.id, signal) : profile)
    const voices = offered().filter((offer) => offer.engine === engine && offer.operation === 'tts')
    const preset = voices.flatMap((offer) => offer.voices).find(({ id }) => id === asked)
    if (preset) return presetVoice(preset.id, preset.name)
    // Without a machine that describes the engine, its voices are unknown.
    if (voices.length === 0) return presetVoice(asked, asked)
    return { ...presetVoice(null, ''), remarks: [`There is no voice ${asked.slice(0, 128)}. The default voice was used.`] }
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
    digest: digestOf([sha256, text, instruct, language, seed]),
    remarks: [],
  }
}

const presetVoice = (preset: string | null, name: string): SpokenVoice => ({
  profileId: null,
  name,
  preset,
  reference: null,
  instruct: null,
  language: null,
  seed: null,
  staysHere: false,
  digest: digestOf([preset]),
  remarks: [],
})

const digestOf = (parts: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')
