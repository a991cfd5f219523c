// Renders designed voices: short speech in the voice that an engine makes from a description. A substitute cannot follow a description, so
// none is used.

import { rm, writeFile } from 'node:fs/promises'
import { firstModelOf } from '#control-plane/inference/missing-model.ts'
import { needFor } from '#control-plane/inference/needs/needs.ts'
import { type Offer, offersAt, requireLocal, runs } from '#control-plane/inference/offers.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { createSharedWork } from '#control-plane/kernel/shared-work.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { engineRow, TTS_ENGINES } from '#shared/engines.ts'
import { FAILURES, Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { MadeWith, VoicesApi } from '../api.ts'

type Deps = {
  readonly inference: Pick<Inference, 'collect'>
  readonly offered: () => readonly Offer[]
  /** Target that the owner chose for speech. */
  readonly target: () => string
  readonly workFolder: string
  readonly random: Pick<Random, 'hex'>
}
type Design = Parameters<VoicesApi['renderDesign']>[0]
type Rendered = { readonly wav: Buffer; readonly madeWith: MadeWith }

const WITHIN_MS = 30 * 60_000

export function createRenderer({ inference, offered, target, workFolder, random }: Deps) {
  const work = createSharedWork<Rendered>()

  function bestOffer(): Offer | null {
    const able = offered().filter(canDesign)
    const chosen = offersAt(able, target())
    return chosen.find(({ workerId }) => workerId === LOCAL) ?? chosen[0] ?? null
  }

  async function rendered({ instruct, language, text, seed, steps }: Design, offer: Offer, stopping: AbortSignal): Promise<Rendered> {
    const { engine, model, workerId, model_digest: modelDigest = '' } = offer
    const { result, output } = await inference.collect(
      {
        operation: 'tts',
        engine,
        model,
        params: { segments: [{ text, seed, pause_after_ms: 0 }], instruct: instruct || null, language: tagOf(language), num_step: steps },
        target: workerId,
        withinMs: WITHIN_MS,
        ephemeral: true,
        traceparent: '',
      },
      stopping,
    )
    if (output.length === 0) throw new Failure('WORKER_FAILED', 'The engine returned no audio.')
    const header = wavHeader({ sampleRate: result.sample_rate, channels: 1, samples: output.length >> 1 })
    return { wav: Buffer.concat([header, output]), madeWith: { engine, modelDigest, seed, steps } }
  }

  const renderDesign: VoicesApi['renderDesign'] = async (design, signal) => {
    const offer = bestOffer()
    if (!offer) {
      requireLocal(offered())
      throw notReady()
    }
    const key = JSON.stringify([offer.engine, offer.model_digest, design.instruct, design.language, design.text, design.seed, design.steps])
    const render = (stopping: AbortSignal) => rendered(design, offer, stopping)
    const { wav, madeWith } = await work.join(key, render, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      throw asUnavailable(error)
    })
    const path = fileIn(workFolder, `${random.hex(8)}.wav`)
    await writeFile(path, wav, { mode: 0o600 }).catch(async (cause: unknown) => {
      await rm(path, { force: true })
      throw new Failure('STORAGE_FULL', `The sample could not be written: ${(cause as Error).message}.`, { cause })
    })
    return { path, madeWith }
  }

  return {
    renderDesign,
    designEngine: (): ReturnType<VoicesApi['designEngine']> => {
      const offer = bestOffer()
      return offer && { engine: offer.engine, modelDigest: offer.model_digest ?? '' }
    },
    /** Ends the renders that are running. */
    stop: () => void work.stop(),
  }
}

/** A substitute names itself in `stands_in`. */
const canDesign = (offer: Offer): boolean =>
  offer.operation === 'tts' && engineRow(offer.engine)?.designs === true && offer.stands_in === '' && runs(offer)

/** Engines choose the language from the text when none is named. */
const tagOf = (language: string): string | null => (language === '' || language.toLowerCase() === 'auto' ? null : language)

/** 503, because the voice can be rendered later. */
function notReady(): Failure {
  const engines = TTS_ENGINES.filter(({ designs }) => designs === true)
  const models = engines.flatMap(({ id }) => firstModelOf(id)?.id ?? [])
  return new Failure(
    'VOICE_UNAVAILABLE',
    `No engine that makes a voice from a description is ready: ${engines.map(({ name }) => name).join(', ')} needs its model. Install it with ${COMMAND} models install ${models[0]}.`,
    { needs: needFor('description') },
  )
}

const asUnavailable = (error: unknown): Failure => {
  const failure = Failure.from(error)
  return FAILURES[failure.code].http === 503 || failure.code === 'STORAGE_FULL'
    ? failure
    : new Failure('VOICE_UNAVAILABLE', `The voice could not be rendered: ${failure.message}`, { cause: failure })
}
