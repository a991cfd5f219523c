// Previews that are rendered here. They are marked, cached under a key of everything that changes their sound, and rendered once however many
// listen.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import type { MarkOf } from '#control-plane/features/base/watermark/api.ts'
import type { VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import { createSharedWork } from '#control-plane/kernel/shared-work.ts'
import type { Media } from '#control-plane/media/encode.ts'
import type { LocalArtifacts } from '#control-plane/store/artifact.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { parseWav } from '#shared/audio/wav.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { DesignRecipe, Preview } from '../api.ts'
import { previewKey, RENDER, recipeDigest } from './preview.rules.ts'
import type { PreviewStore, RenderedRow } from './preview.store.ts'

type Deps = {
  readonly store: Pick<PreviewStore, 'rendered' | 'renderedOf' | 'add' | 'touch' | 'remove'>
  readonly artifacts: Pick<LocalArtifacts, 'keep' | 'pathOf'>
  readonly voices: Pick<VoicesApi, 'renderDesign' | 'designEngine'>
  readonly media: Pick<Media, 'encode'>
  readonly markOf: MarkOf
  readonly clock: Pick<Clock, 'now'>
}
export type RenderedPreviews = ReturnType<typeof createRenderedPreviews>

const CACHE_BYTES = 512 * 1024 ** 2
/** Every write waits for the disk, so a preview that is played repeatedly is not written each time. */
const TOUCHED_AGAIN_MS = 3600_000

export function createRenderedPreviews({ store, artifacts, voices, media, markOf, clock }: Deps) {
  const work = createSharedWork<Preview>()

  /** A preview without a mark is not used after the owner has turned the mark on. */
  const recipeOf = (design: DesignRecipe): string => {
    const isMarked = markOf({ engine: '', params: '' }) !== null
    return `${recipeDigest(design)}${isMarked ? '' : '-unmarked'}`
  }

  /** By the engine that would render it now; without one, by any engine. Null if it must be rendered. */
  function cached(design: DesignRecipe): RenderedRow | null {
    const recipe = recipeOf(design)
    const engine = voices.designEngine()
    const row = engine ? store.rendered(previewKey(recipe, engine)) : store.renderedOf(recipe)
    return row && existsSync(artifacts.pathOf(row.digest)) ? row : null
  }

  async function render({ instruct, language, sample_script }: DesignRecipe, recipe: string, signal: AbortSignal): Promise<Preview> {
    const { path, madeWith } = await voices.renderDesign({ instruct, language, text: sample_script, ...RENDER }, signal)
    try {
      const key = previewKey(recipe, madeWith)
      const wav = await marked(await readFile(path), { engine: madeWith.engine, params: key }, signal)
      const digest = createHash('sha256').update(wav).digest('hex')
      await artifacts.keep(digest, { chunks: [wav] })
      store.add({ key, recipe, digest, bytes: wav.length, used_at: clock.now() }, CACHE_BYTES)
      return localPreview({ digest, bytes: wav.length })
    } finally {
      await rm(path, { force: true })
    }
  }

  async function marked(wav: Buffer, spec: Parameters<MarkOf>[0], signal: AbortSignal): Promise<Buffer> {
    const { sampleRate, samples } = parseWav(wav)
    const pcm = new Uint8Array(toS16(samples))
    const { body } = await media.encode({
      format: 'wav',
      sampleRate,
      source: piecesOf(pcm),
      mark: markOf(spec),
      effects: null,
      master: false,
      signal,
    })
    const pieces: Uint8Array[] = []
    for await (const piece of body) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  return {
    cached,
    /** Rejects with the failure of the render, and with the reason of the signal when the caller leaves. The render goes on. */
    async of(design: DesignRecipe, signal: AbortSignal): Promise<Preview> {
      const row = cached(design)
      if (row) {
        if (Math.abs(clock.now() - row.used_at) > TOUCHED_AGAIN_MS) store.touch(row.key, clock.now())
        return localPreview(row)
      }
      const recipe = recipeOf(design)
      return work.join(recipe, (running) => render(design, recipe, running), signal)
    },
    stop: work.stop,
  }
}

const localPreview = ({ digest, bytes }: Pick<RenderedRow, 'digest' | 'bytes'>): Preview => ({
  source: 'local',
  type: 'audio/wav',
  digest,
  bytes,
})

async function* piecesOf(pcm: Uint8Array): AsyncGenerator<Uint8Array> {
  yield pcm
}
