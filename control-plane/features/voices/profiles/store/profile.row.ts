// A row of the table of profiles, and the profile that it stands for. Pure.
import type { NewRow, StoredProfile } from './profile.ts'

export type ProfileColumns = {
  id: string
  name: string
  kind: 'clone' | 'design'
  language: string
  instruct: string
  ref_text: string
  personality: string
  description: string
  vd_states: string | null
  seed: number | null
  ref_digest: string | null
  ref_bytes: number
  ref_name: string
  original_digest: string | null
  original_bytes: number
  locked_digest: string | null
  locked_text: string | null
  locked_bytes: number | null
  locked_source: StoredProfile['lockedSource']
  image_digest: string | null
  origin: string
  origin_url: string
  stays_here: 0 | 1
  quality: string
  made_with: string | null
  hosted_voice_id: string
  created_at: number
  updated_at: number
}

const COLUMNS = `id, name, kind, language, instruct, ref_text, personality, description, vd_states, seed, ref_digest, ref_bytes, ref_name,
  original_digest, original_bytes, locked_digest, locked_text, locked_bytes, locked_source, image_digest, origin, origin_url, stays_here,
  quality, made_with, created_at, updated_at`
export const insertSql = `insert into voice_profile (${COLUMNS}) values (${COLUMNS.split(/,\s*/)
  .map((column) => `@${column}`)
  .join(', ')})`

export const profileOf = (row: ProfileColumns): StoredProfile => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  language: row.language,
  instruct: row.instruct,
  refText: row.ref_text,
  personality: row.personality,
  description: row.description,
  attributes: row.vd_states === null ? null : JSON.parse(row.vd_states),
  seed: row.seed,
  refDigest: row.ref_digest,
  refBytes: row.ref_bytes,
  refName: row.ref_name,
  originalDigest: row.original_digest,
  originalBytes: row.original_bytes,
  lockedDigest: row.locked_digest,
  lockedText: row.locked_text,
  lockedBytes: row.locked_bytes ?? 0,
  lockedSource: row.locked_source,
  imageDigest: row.image_digest,
  origin: row.origin,
  originUrl: row.origin_url,
  staysHere: row.stays_here === 1,
  quality: JSON.parse(row.quality),
  madeWith: row.made_with === null ? null : JSON.parse(row.made_with),
  hostedVoiceId: row.hosted_voice_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const toColumns = (row: NewRow): Omit<ProfileColumns, 'hosted_voice_id'> => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  language: row.language,
  instruct: row.instruct,
  ref_text: row.refText,
  personality: row.personality,
  description: row.description,
  vd_states: row.attributes && JSON.stringify(row.attributes),
  seed: row.seed,
  ref_digest: row.refDigest,
  ref_bytes: row.refBytes,
  ref_name: row.refName,
  original_digest: row.originalDigest,
  original_bytes: row.originalBytes,
  locked_digest: row.lockedDigest,
  locked_text: row.lockedText,
  locked_bytes: row.lockedDigest === null ? null : row.lockedBytes,
  locked_source: row.lockedSource,
  image_digest: row.imageDigest,
  origin: row.origin,
  origin_url: row.originUrl,
  stays_here: row.staysHere ? 1 : 0,
  quality: JSON.stringify(row.quality),
  made_with: row.madeWith && JSON.stringify(row.madeWith),
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})
