// The archetypes: lists, previews and profiles.
import { rm } from 'node:fs/promises'
import type { VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import { createSharedWork } from '#control-plane/kernel/shared-work.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Archetype } from '#shared/voices/taxonomy.ts'
import { USE_CASES } from '#shared/voices/use-cases.ts'
import type { ArchetypesApi, Preview } from './api.ts'
import type { ArchetypeFilter } from './archetypes.schema.ts'
import { pageOf, searchable } from './filter.rules.ts'
import type { Clips } from './previews/clips.service.ts'
import { RENDER, stateOf } from './previews/preview.rules.ts'
import type { RenderedPreviews } from './previews/preview.service.ts'

type Deps = {
  readonly all: () => readonly Archetype[]
  readonly voices: Pick<VoicesApi, 'byOrigin' | 'create' | 'renderDesign' | 'designEngine'>
  readonly previews: Pick<RenderedPreviews, 'cached' | 'of'>
  readonly downloads: Pick<Clips, 'clipOf'>
}
export type ArchetypeService = ReturnType<typeof createArchetypes>
type Used = Awaited<ReturnType<ArchetypesApi['use']>>

export function createArchetypes({ all, voices, previews, downloads }: Deps) {
  let index: { readonly byId: ReadonlyMap<string, Archetype>; readonly rows: ReturnType<typeof searchable> } | null = null
  const indexed = () => {
    index ??= { byId: new Map(all().map((archetype) => [archetype.id, archetype])), rows: searchable(all()) }
    return index
  }
  const work = createSharedWork<Used>()

  /** Throws NOT_FOUND. */
  function get(id: string): Archetype {
    const archetype = indexed().byId.get(id)
    if (!archetype) throw new Failure('NOT_FOUND', 'Archetype not found')
    return archetype
  }

  async function createProfile(
    { id, instruct, language, sample_script, attrs }: Archetype,
    name: string,
    madeBy: ClientId,
    signal: AbortSignal,
  ): Promise<Used> {
    const design = { instruct, language, text: sample_script, ...RENDER }
    const { path, madeWith } = await voices.renderDesign(design, signal)
    try {
      const origin = `archetype:${id}`
      const profile = await voices.create(
        {
          name,
          madeBy,
          kind: 'design',
          language,
          instruct,
          refText: sample_script,
          personality: origin,
          description: '',
          attributes: attrs,
          seed: RENDER.seed,
          origin,
          originUrl: '',
          staysHere: false,
          recording: { path, name: `${id}.wav` },
          madeWith,
          locked: null,
          portrait: null,
          statement: null,
        },
        signal,
      )
      return { profile_id: profile.id, name: profile.name }
    } finally {
      await rm(path, { force: true })
    }
  }

  return {
    find: (id: string): Archetype | null => indexed().byId.get(id) ?? null,
    get,
    categories: () => USE_CASES.map((row) => ({ ...row })),
    page: (filter: ArchetypeFilter) => pageOf(indexed().rows, filter),
    previewState(id: string) {
      const archetype = get(id)
      return stateOf({
        isDownloaded: downloads.clipOf(archetype) !== null,
        isCached: previews.cached(archetype) !== null,
        engine: voices.designEngine()?.engine ?? null,
      })
    },
    async preview(id: string, isLocal: boolean, signal: AbortSignal): Promise<Preview> {
      const archetype = get(id)
      return (isLocal ? null : downloads.clipOf(archetype)) ?? previews.of(archetype, signal)
    },
    async use(id: string, name: string | null, madeBy: ClientId, signal: AbortSignal): Promise<Used> {
      const archetype = get(id)
      const existing = voices.byOrigin(`archetype:${id}`)
      if (existing) return { profile_id: existing.id, name: existing.name }
      return work.join(id, (running) => createProfile(archetype, name ?? archetype.name, madeBy, running), signal)
    },
    stop: work.stop,
  }
}
