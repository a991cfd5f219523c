// The actions of clients on voice profiles.

import type { Bus } from '#control-plane/events/bus.ts'
import type { LibraryApi } from '#control-plane/features/base/library/api.ts'
import { type EncodedJson, encodedJson } from '#control-plane/http/contract/respond.ts'
import type { Upload } from '#control-plane/http/input/form.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { attributesOf, completeAttributes, instructOf, noAttributes, sanitise } from '#shared/voices/recipe.ts'
import { AUTO, CATEGORIES, tokensOf, type VoiceCategory } from '#shared/voices/words.ts'
import type { NewProfile, VoiceAttributes, VoiceProfile } from '../api.ts'
import { MAX_BYTES } from '../files/blobs.ts'
import type { EncodedList } from '../list/encoded-list.ts'
import type { Withdrawal } from '../withdraw.ts'
import type { ProfileStore } from './profile.store.ts'
import type { Details, StoredProfile } from './profile.ts'
import type { CreateProfileForm, ProfileChanges, ProfileRow } from './profiles.contract.ts'
import { publicRow } from './public-row.ts'
import type { Samples } from './samples.ts'

const RECENT_TAKES = 20

type Deps = {
  readonly store: ProfileStore
  readonly makers: Pick<Makers, 'hidesSome'>
  readonly create: (profile: NewProfile, signal: AbortSignal) => Promise<VoiceProfile>
  readonly samples: Samples
  readonly list: EncodedList
  readonly history: Pick<LibraryApi['history'], 'ofVoice' | 'forgetVoice'>
  readonly projects: LibraryApi['projects']
  readonly bus: Pick<Bus, 'publish'>
  readonly clock: Pick<Clock, 'now'>
  readonly withdrawal: Pick<Withdrawal, 'gone' | 'revoked'>
}
export type Profiles = ReturnType<typeof createProfileActions>

export const unknownProfile = () => new Failure('NOT_FOUND', 'Profile not found')
const invalidForm = (message: string) => new Failure('INVALID_REQUEST', message)

/** The functions that take an id throw NOT_FOUND, except `remove` and `usage`; those that write throw STORAGE_FULL. */
export function createProfileActions({ store, makers, create, samples, list, history, projects, bus, clock, withdrawal }: Deps) {
  const rowOf = (profile: StoredProfile): ProfileRow => publicRow(profile, store.statementOf(profile.id))
  function read(id: string): ProfileRow {
    const profile = store.find(id)
    if (!profile) throw unknownProfile()
    return rowOf(profile)
  }

  return {
    read,
    list: async (): Promise<EncodedJson> =>
      makers.hidesSome() ? encodedJson(Buffer.from(JSON.stringify(store.list().map(rowOf)))) : encodedJson(await list.body()),
    /** Throws INVALID_REQUEST for a contradictory form and an unreadable recording, BODY_TOO_LARGE, BAD_REQUEST for a blank name. */
    async create(form: CreateProfileForm, upload: Upload | undefined, madeBy: ClientId, signal: AbortSignal): Promise<ProfileRow> {
      if (form.name.trim() === '') throw new Failure('BAD_REQUEST', 'The name of a voice must not be blank.')
      const kind = form.kind || 'clone'
      if (kind !== 'clone' && kind !== 'design') throw invalidForm("kind must be 'clone' or 'design'.")
      const file = upload && (upload.size > 0 || upload.filename !== '') ? upload : null
      const fields = { ...textsOf(form), madeBy, ...(kind === 'clone' ? cloneOf(form, file) : designOf(form)) }
      const { id } = await create(fields, signal).catch(refuseRecording)
      // The sample is rendered now if an engine is ready, else at the first use.
      if (kind === 'design') await samples.ensure(id, signal).catch(() => {})
      return read(id)
    },
    /**
     * Throws BAD_REQUEST for a blank name and for changes without content. When a recording stays here from now on, resolves when the tasks with
     * it are cancelled, because one may be on its way to another machine, and the connected machines have deleted it.
     */
    async update(id: string, changes: ProfileChanges): Promise<ProfileRow> {
      const profile = store.find(id)
      if (!profile) throw unknownProfile()
      const { details, dropsSample } = detailsOf(profile, changes)
      if (Object.keys(details).length === 0) throw new Failure('BAD_REQUEST', 'No fields to update.')
      if (!store.update(id, details, clock.now(), dropsSample)) throw unknownProfile()
      bus.publish({ kind: 'profiles', action: 'updated', id })
      if (details.staysHere === true && !profile.staysHere) await withdrawal.revoked([profile.refDigest, profile.lockedDigest])
      return read(id)
    },
    /** Resolves when the tasks with its recordings are cancelled and the connected machines have deleted them. */
    async remove(id: string): Promise<{ deleted: string }> {
      const profile = store.find(id)
      history.forgetVoice(id)
      if (store.remove(id)) {
        bus.publish({ kind: 'profiles', action: 'deleted', id })
        await withdrawal.gone([profile?.refDigest ?? null, profile?.lockedDigest ?? null])
      }
      return { deleted: id }
    },
    /** `viewer`: only takes and projects that this client made; null for all. */
    async usage(id: string, viewer: ClientId | null) {
      const { takes, total } = history.ofVoice(id, viewer, RECENT_TAKES)
      const used = await projects.segmentsOf(id, viewer)
      return {
        synth_recent: takes,
        synth_total: total,
        projects: used,
        project_total_segments: used.reduce((sum, { segment_count }) => sum + segment_count, 0),
      }
    },
  }
}

const textsOf = (form: CreateProfileForm) => ({
  name: form.name,
  language: form.language || 'Auto',
  refText: form.ref_text ?? '',
  personality: form.personality ?? '',
  description: form.description ?? '',
  seed: seedOf(form.seed),
  origin: 'own',
  originUrl: '',
  staysHere: false,
  madeWith: null,
  locked: null,
  portrait: null,
  statement: null,
})
/** Null without a number; the schema allows nothing else. */
export const seedOf = (seed: number | string | null | undefined): number | null =>
  typeof seed === 'number' ? seed : seed == null || seed.trim() === '' ? null : Number(seed)

function cloneOf(form: CreateProfileForm, file: Upload | null) {
  if (!file) throw invalidForm('A cloned voice needs ref_audio, a recording of the voice.')
  if (file.size > MAX_BYTES) throw tooLarge()
  const instruct = form.instruct?.trim() ?? ''
  return { kind: 'clone' as const, instruct, attributes: null, recording: { path: file.path, name: file.filename } }
}
export const tooLarge = () => new Failure('BODY_TOO_LARGE', `The recording is larger than ${MAX_BYTES / 1024 ** 2} MiB.`)

function designOf(form: CreateProfileForm) {
  const attributes = chosenAttributes(form.vd_states)
  const instruct = sanitise(form.instruct ?? '') || instructOf(attributes)
  return { kind: 'design' as const, instruct, attributes, recording: null }
}
function chosenAttributes(json: string | undefined): VoiceAttributes {
  if (!json) throw invalidForm('A designed voice needs vd_states, the JSON object of its choices.')
  let chosen: unknown
  try {
    chosen = JSON.parse(json)
  } catch {
    throw invalidForm('vd_states is not valid JSON.')
  }
  if (typeof chosen !== 'object' || chosen === null || Array.isArray(chosen)) throw invalidForm('vd_states must be a JSON object.')
  const picks = new Map<string, unknown>(Object.entries(chosen))
  const known = CATEGORIES.flatMap((category) => {
    const pick = picks.get(category)
    const token = typeof pick === 'string' ? pick.trim().toLowerCase() : ''
    return tokensOf(category).includes(token) ? [[category, token] as const] : []
  })
  const tokens: Partial<Record<VoiceCategory, string>> = Object.fromEntries(known)
  // A dialect excludes an accent.
  return completeAttributes(tokens) ?? completeAttributes({ ...tokens, EnglishAccent: AUTO }) ?? noAttributes()
}

/** The changes with content. A design follows the words of its description only. */
function detailsOf(profile: StoredProfile, changes: ProfileChanges): { readonly details: Details; readonly dropsSample: boolean } {
  const { name, ref_text, instruct, language, personality, description, stays_here } = changes
  if (name?.trim() === '') throw new Failure('BAD_REQUEST', 'The name of a voice must not be blank.')
  const isDesign = profile.kind === 'design'
  const recipe = instruct == null ? null : isDesign ? sanitise(instruct) : instruct.trim()
  const details: Details = {
    ...(name != null && { name: name.trim() }),
    ...(ref_text != null && { refText: ref_text }),
    ...(recipe !== null && { instruct: recipe, ...(isDesign && { attributes: attributesOf(recipe) }) }),
    ...(language != null && { language: language || 'Auto' }),
    ...(personality != null && { personality }),
    ...(description != null && { description }),
    ...(stays_here != null && { staysHere: Boolean(stays_here) }),
  }
  return { details, dropsSample: isDesign && recipe !== null && recipe !== profile.instruct }
}

/** An unreadable recording is an invalid field of a form. */
export function refuseRecording(error: unknown): never {
  if (error instanceof Failure && error.code === 'BAD_REQUEST') throw new Failure('INVALID_REQUEST', error.message, { cause: error })
  throw error
}
