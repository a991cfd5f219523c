// The documents of a bundle that the studio writes. Pure. They name no path, id or machine.
import type { VoiceProfile, VoiceStatement } from '#control-plane/features/voices/profiles/api.ts'
import { BUNDLE_VERSION, SCHEMA_VERSION } from './bundle.schema.ts'
import type { BundlePreview } from './marking.ts'

export type Written = { readonly version: string /** Epoch milliseconds. */; readonly at: number }
export type Members = Readonly<Record<'ref_audio' | 'locked_audio' | 'consent_audio', string | null>>

const iso = (at: number): string => new Date(at).toISOString()

const voiceOf = ({ language, instruct, personality, description, refText, seed, kind, lockedDigest, lockedText }: VoiceProfile) => ({
  language,
  instruct,
  personality,
  description,
  ref_text: refText,
  seed,
  kind,
  is_locked: lockedDigest !== null,
  locked_text: lockedText,
})

const originOf = ({ originUrl, staysHere, madeWith }: VoiceProfile) => ({
  source_url: originUrl,
  stays_here: staysHere,
  made_with: madeWith && {
    engine: madeWith.engine,
    model_digest: madeWith.modelDigest,
    seed: madeWith.seed,
    steps: madeWith.steps,
  },
})

type Persona = {
  readonly profile: VoiceProfile
  /** The engine that speaks in this studio: a recording of a person has none of its own. */
  readonly engine: string
  readonly licence: string
  readonly tags: readonly string[]
  readonly preview: BundlePreview
  /** The words of the preview; null if they are unknown. */
  readonly previewText: string | null
  readonly members: Members
  readonly written: Written
}

export const manifestOf = ({ profile, engine, licence, tags, preview, previewText, members, written }: Persona) => ({
  format: 'svc-persona',
  schema_version: SCHEMA_VERSION,
  svc_version: written.version,
  exported_at: iso(written.at),
  persona: { name: profile.name, ...voiceOf(profile), vd_states: profile.attributes },
  engine: { id: profile.madeWith?.engine ?? engine, design_params: null },
  origin: originOf(profile),
  license: { spdx: licence, custom_text: '' },
  tags,
  preview: {
    file: 'preview.wav',
    watermarked: preview.isMarked,
    duration_s: Math.round(preview.seconds * 1000) / 1000,
    sample_rate: 24_000,
    text: previewText,
  },
  members,
})

/** `published`: for a bundle of the marketplace folder. */
export const metadataOf = (profile: VoiceProfile, written: Written, published: { readonly tags: readonly string[] } | null) => ({
  bundle_version: BUNDLE_VERSION,
  profile_name: profile.name,
  ...voiceOf(profile),
  vd_states: profile.attributes && JSON.stringify(profile.attributes),
  origin: originOf(profile),
  svc_version: written.version,
  created_at: profile.createdAt / 1000,
  ...(published ? { tags: published.tags, published_at: written.at / 1000 } : { exported_at: written.at / 1000 }),
})

/** Null for a voice that needs no statement and has none. */
export function consentOf(kind: 'clone' | 'design', statement: VoiceStatement | null) {
  if (statement === null && kind === 'clone') return null
  return {
    method: kind === 'design' ? 'designed-synthetic' : 'self-recorded-statement',
    verified: true,
    text: statement?.text ?? '',
    recorded_at: statement && statement.recordedAt / 1000,
  }
}
