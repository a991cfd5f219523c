// The archetypes for other areas: finding one, its preview, and a profile of it.

import type { Content } from '#control-plane/http/contract/respond.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import type { Archetype } from '#shared/voices/taxonomy.ts'

/** A sound that is stored under its SHA-256. */
export type Preview = {
  /** 'gallery': downloaded from the publisher; 'local': rendered by an engine of this studio. */
  readonly source: 'gallery' | 'local'
  readonly type: 'audio/mpeg' | 'audio/wav'
  readonly digest: string
  readonly bytes: number
}
/** Inputs that decide the sound of a designed voice. */
export type DesignRecipe = Pick<Archetype, 'instruct' | 'language' | 'sample_script'>

export type ArchetypesApi = {
  readonly find: (id: string) => Archetype | null
  /** In the order of the list. */
  readonly featured: () => readonly Archetype[]
  /** `isLocal`: never a downloaded sound. Rejects with NOT_FOUND, and with a failure of status 503 if no engine can render it. */
  readonly preview: (id: string, isLocal: boolean, signal: AbortSignal) => Promise<Content>
  /** Rendered here, or as it was rendered earlier, in a WAV file with the provenance mark. Fails like `preview`. */
  readonly previewOfRecipe: (recipe: DesignRecipe, signal: AbortSignal) => Promise<Content>
  /** The profile of an archetype; made at the first call, with a sample that is rendered here. Rejects with NOT_FOUND, and with a failure of status 503. */
  readonly use: (
    id: string,
    name: string | null,
    madeBy: ClientId,
    signal: AbortSignal,
  ) => Promise<{ readonly profile_id: string; readonly name: string }>
}

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly archetypes: ArchetypesApi
  }
}
