// The keys of rendered previews, and where the next preview would come from. Pure.
import { createHash } from 'node:crypto'
import type { DesignRecipe } from '../api.ts'

/** Parameters with which samples of archetypes are rendered. */
export const RENDER = { seed: 42, steps: 32 } as const
/** Part of every key; a change discards all rendered previews. */
const FORMAT = 1

const digestOf = (values: readonly (string | number)[]) => createHash('sha256').update(JSON.stringify(values)).digest('hex')

/** Names what the archetype says and how; also part of the manifest of the publisher. */
export const recipeDigest = ({ instruct, language, sample_script }: DesignRecipe): string => digestOf([instruct, language, sample_script])

export const previewKey = (recipe: string, { engine, modelDigest }: { readonly engine: string; readonly modelDigest: string }): string =>
  digestOf([FORMAT, recipe, engine, modelDigest, RENDER.steps, RENDER.seed])

type Sources = {
  readonly isDownloaded: boolean
  readonly isCached: boolean /** Null if none can render. */
  readonly engine: string | null
}

export function stateOf({ isDownloaded, isCached, engine }: Sources) {
  if (isDownloaded) return { source: 'gallery', message: 'The preview was downloaded and plays at once.' } as const
  if (isCached) return { source: 'cached', message: 'The preview was rendered before and plays at once.' } as const
  if (engine !== null) return { source: 'rendering', message: 'The preview is rendered on this studio when it is played first.' } as const
  return {
    source: 'no_model',
    message: 'No engine that makes a voice from a description is ready. Install OmniVoice to hear this voice.',
  } as const
}
