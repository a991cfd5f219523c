// The items of community sources: listed, heard, and made into voice profiles.
import { rm } from 'node:fs/promises'
import type { ArchetypesApi } from '#control-plane/features/voices/archetypes/api.ts'
import type { NewProfile, VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import { type Content, rangedBytes } from '#control-plane/http/contract/respond.ts'
import { keepUpload, type UploadDisk } from '#control-plane/http/input/form.ts'
import { createSharedWork } from '#control-plane/kernel/shared-work.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import type { CommunityItem, CommunityPack, PresetItem, VoiceItem } from './manifest.schema.ts'
import type { SourceContent } from './manifest.ts'
import type { Manifests } from './manifests.service.ts'
import { STARTER } from './sources.ts'
import type { CommunityVoices } from './voices.service.ts'

export type ItemQuery = {
  readonly use_case: string | null
  readonly gender: string | null
  readonly type: string | null
  readonly lang: string | null
  readonly q: string | null
  readonly limit: number
  readonly offset: number
}
export type CommunityContent = {
  readonly sources: readonly string[]
  readonly items: readonly CommunityItem[]
  readonly packs: readonly CommunityPack[]
  readonly isOffline: boolean
}
export type Made = { readonly profile_id: string; readonly name: string }
type Deps = {
  readonly sources: () => readonly string[]
  /** Items of this program. Called by requests alone: the list takes 40 ms to build, and many starts need none of it. */
  readonly starter: () => SourceContent
  readonly manifests: Manifests
  readonly recordings: CommunityVoices
  readonly voices: Pick<VoicesApi, 'create' | 'byOrigin' | 'renderDesign'>
  readonly archetypes: Pick<ArchetypesApi, 'find' | 'use' | 'preview' | 'previewOfRecipe'>
  readonly uploadDisk: UploadDisk
  /** Aborts when the studio stops. */
  readonly stopping: AbortSignal
}
export type Community = ReturnType<typeof createCommunity>

/** The same voice for everybody who uses a preset. */
const PRESET_RUN = { seed: 42, steps: 32 }
const SAMPLE = 'This is how I sound when I read a few sentences aloud. I hope that you enjoy listening to this voice.'

/** The functions that take an id throw NOT_FOUND. */
export function createCommunity({ sources, starter, manifests, recordings, voices, archetypes, uploadDisk, stopping }: Deps) {
  const work = createSharedWork<Made>()

  async function load(refresh: boolean): Promise<CommunityContent> {
    const names = sources()
    const read = await Promise.all(
      names.map(async (source) =>
        source === STARTER ? { manifest: starter(), isOffline: false } : manifests.read(source, refresh, stopping),
      ),
    )
    const items = new Map<string, CommunityItem>()
    // The first source that has an id provides the item.
    for (const { manifest } of read)
      for (const item of manifest?.items ?? [])
        if (!items.has(item.id)) items.set(item.id, item.type === 'voice' ? { ...item, pinned: recordings.pinOf(item) } : item)
    return {
      sources: names,
      items: [...items.values()],
      packs: read.flatMap(({ manifest }) => manifest?.packs ?? []),
      isOffline: read.some(({ isOffline }) => isOffline),
    }
  }

  async function found(id: string): Promise<CommunityItem> {
    const item = (await load(false)).items.find((each) => each.id === id)
    if (!item) throw new Failure('NOT_FOUND', 'This item does not exist. Its source may have removed it.')
    return item
  }

  /** True if the item is an archetype of this program, and not only called like one. */
  function isArchetype(item: CommunityItem): boolean {
    const archetype = archetypes.find(item.id)
    return item.type === 'preset' && archetype?.instruct === item.instruct && archetype.language === item.language
  }

  async function profileOfPreset(item: PresetItem, name: string, madeBy: ClientId): Promise<Made> {
    const { instruct, language } = item
    const text = textOf(item)
    const { path, madeWith } = await voices.renderDesign({ instruct, language, text, ...PRESET_RUN }, stopping)
    try {
      const recording = { path, name: `${item.id}.wav` }
      const own = { kind: 'design', instruct, refText: text, attributes: item.attrs, seed: PRESET_RUN.seed, recording, madeWith } as const
      return made(await voices.create({ ...commonOf(item, name), madeBy, ...own, staysHere: false, originUrl: '' }, stopping))
    } finally {
      await rm(path, { force: true })
    }
  }

  async function profileOfVoice(item: VoiceItem, name: string, madeBy: ClientId): Promise<Made> {
    const bytes = await recordings.download(item, stopping)
    const { upload, close } = await keepUpload(uploadDisk, bytes, `${item.id}.wav`)
    try {
      const recording = { path: upload.path, name: upload.filename }
      const own = {
        kind: 'clone',
        instruct: '',
        refText: item.audio.ref_text,
        attributes: null,
        seed: null,
        recording,
        madeWith: null,
      } as const
      // The speaker has stated nothing, so the recording stays on this machine.
      return made(await voices.create({ ...commonOf(item, name), madeBy, ...own, staysHere: true, originUrl: item.audio.url }, stopping))
    } catch (error) {
      const failure = Failure.from(error)
      if (failure.code !== 'BAD_REQUEST') throw error
      throw new Failure('DOWNLOAD_REFUSED', `The file of this voice is not used. ${failure.message}`, { cause: error })
    } finally {
      await close()
    }
  }

  return {
    sources,
    load,
    async items({ limit, offset, ...filter }: ItemQuery, refresh: boolean) {
      const matching = (await load(refresh)).items.filter((item) => isWanted(item, filter))
      return { total: matching.length, limit, offset, items: matching.slice(offset, offset + limit) }
    },
    /** Throws NOT_FOUND without a repository, and for one that is no source. */
    submitUrl(type: CommunityItem['type'], source: string | null): string {
      const repositories = sources().filter((each) => each !== STARTER)
      const chosen = repositories.find((each) => each === source) ?? repositories[0]
      if (chosen === undefined)
        throw new Failure('NOT_FOUND', 'No repository accepts submissions. Name one in gallery_sources.json in the data folder first.')
      return `https://github.com/${chosen}/issues/new?template=${type}.yml`
    },
    /**
     * `isLocal`: never a downloaded preview of an archetype. Throws DOWNLOAD_REFUSED for a voice, and a failure of status 503 for a preset that
     * no engine can render.
     */
    async preview(id: string, isLocal: boolean, signal: AbortSignal): Promise<Content> {
      const item = await found(id)
      if (isArchetype(item)) return archetypes.preview(id, isLocal, signal)
      const headers = { 'x-svc-preview-source': 'community' }
      if (item.type === 'voice')
        return { type: 'audio/wav', body: rangedBytes(await recordings.download(item, signal)), cache: 'no-cache', headers }
      const sound = await archetypes.previewOfRecipe({ ...item, sample_script: textOf(item) }, signal)
      return { ...sound, headers: { ...sound.headers, ...headers } }
    },
    /** The oldest profile of the item; a new one if there is none. It is completed when the caller leaves. Throws as `preview`. */
    async use(id: string, wanted: string | null, madeBy: ClientId): Promise<Made> {
      const item = await found(id)
      if (isArchetype(item)) return archetypes.use(id, wanted, madeBy, stopping)
      const origin = originOf(item)
      const existing = voices.byOrigin(origin)
      if (existing) return made(existing)
      const name = wanted ?? item.name
      return work.join(
        origin,
        () => (item.type === 'preset' ? profileOfPreset(item, name, madeBy) : profileOfVoice(item, name, madeBy)),
        null,
      )
    },
  }
}

/** Text that a preset says. */
const textOf = ({ sample_script }: PresetItem): string => sample_script.trim() || SAMPLE
const made = ({ id, name }: { readonly id: string; readonly name: string }): Made => ({ profile_id: id, name })
const originOf = ({ id, _source_repo }: CommunityItem): string => `community:${_source_repo}:${id}`

const commonOf = (
  item: CommunityItem,
  name: string,
): Pick<NewProfile, 'name' | 'language' | 'personality' | 'description' | 'origin' | 'locked' | 'portrait' | 'statement'> => ({
  name,
  language: item.language,
  personality: originOf(item),
  description: item.license === '' ? '' : `Licence: ${item.license}`,
  origin: originOf(item),
  locked: null,
  portrait: null,
  statement: null,
})

function isWanted(item: CommunityItem, { use_case, gender, type, lang, q }: Omit<ItemQuery, 'limit' | 'offset'>): boolean {
  const isSame = (wanted: string | null, value: string | undefined) => wanted === null || wanted === value
  return (
    isSame(use_case, item.use_case) &&
    isSame(gender, item.facets.gender) &&
    isSame(type, item.type) &&
    isSame(lang, item.language) &&
    (q === null || item.name.toLowerCase().includes(composed(q).toLowerCase()))
  )
}
