// A profile as the API shows it. Pure.
import { extname } from 'node:path'
import type { StoredProfile, StoredStatement } from './profile.ts'
import type { ProfileRow } from './profiles.contract.ts'

/** Characters of the words of a locked take. */
const SHOWN_CHARS = 100
/** A statement is evidence from this many bytes of recording on, as clients of the API expect. */
export const MIN_STATEMENT_BYTES = 1_000
const FROM_ORIGIN = /^(gallery|archetype|community):/

export const isVerified = (said: Pick<StoredStatement, 'text' | 'audioBytes'> | null): boolean =>
  said !== null && said.text.trim() !== '' && said.audioBytes >= MIN_STATEMENT_BYTES

/** A lower-case extension with its dot; '.wav' for a name without a usable one. */
export const extensionOf = (name: string): string => /^\.[a-z0-9]{1,5}$/.exec(extname(name).toLowerCase())?.[0] ?? '.wav'
export const lockedName = (id: string): string => `${id}_locked.wav`

export function publicRow(profile: StoredProfile, said: StoredStatement | null): ProfileRow {
  const { id, refDigest, lockedDigest, lockedText, imageDigest, origin, personality, madeWith } = profile
  const isLocked = lockedDigest !== null
  const audible = lockedDigest ?? refDigest
  const isShown = isVerified(said)
  return {
    id,
    name: profile.name,
    kind: profile.kind,
    ref_audio_path: refDigest === null ? null : `${id}${extensionOf(profile.refName)}`,
    ref_text: isLocked ? [...(lockedText ?? '')].slice(0, SHOWN_CHARS).join('') : profile.refText,
    instruct: profile.instruct,
    language: profile.language,
    locked_audio_path: isLocked ? lockedName(id) : '',
    seed: profile.seed,
    is_locked: isLocked ? 1 : 0,
    // Clients expect the marker of re-used items here. The one that counts is `origin`, which only the studio writes.
    personality: personality === '' && FROM_ORIGIN.test(origin) ? origin : personality,
    description: profile.description,
    is_demo: 0,
    verified_own_voice: isShown ? 1 : 0,
    consent_text: isShown && said ? said.text : '',
    consent_audio_path: isShown && said ? `${id}_consent${extensionOf(said.audioName)}` : '',
    consent_recorded_at: isShown && said ? said.recordedAt / 1000 : null,
    vd_states: profile.attributes && JSON.stringify(profile.attributes),
    hosted_voice_id: profile.hostedVoiceId,
    // The digest makes a new picture or recording a new address.
    image_url: imageDigest && `/profiles/${id}/image?v=${imageDigest.slice(0, 8)}`,
    audio_url: audible && `/profiles/${id}/audio?v=${audible.slice(0, 8)}`,
    created_at: profile.createdAt / 1000,
    updated_at: profile.updatedAt / 1000,
    origin,
    origin_url: profile.originUrl,
    stays_here: profile.staysHere ? 1 : 0,
    size_bytes: profile.refBytes + profile.originalBytes + profile.lockedBytes + (said?.audioBytes ?? 0),
    quality: { ...profile.quality },
    statement: said && { method: said.method, checks: { ...said.checks } },
    made_with: madeWith && { engine: madeWith.engine, model_digest: madeWith.modelDigest, seed: madeWith.seed, steps: madeWith.steps },
  }
}
