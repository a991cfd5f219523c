// POST /models/verify: the operation `verify` as a regular task on the machine that has the model. A sentence that the model spoke is then
// recognised on the same machine, if a recogniser is installed there.

import { modelMissing } from '#control-plane/inference/missing-model.ts'
import { isOwnOffer, type Offer, offersAt, runs } from '#control-plane/inference/offers.ts'
import { recordingRequest } from '#control-plane/inference/recording.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { openResampler } from '#shared/audio/resampler.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { engineRow, PREFERRED_ENGINES } from '#shared/engines.ts'
import { findModel, similarModels } from '#shared/models/catalogue.ts'
import type { CatalogueModel } from '#shared/models/model.ts'
import { modelOfOwnId } from '#shared/models/own.ts'
import type { VerifiedCheck, VerifyResult } from '#shared/operations/verify.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND, VERSION } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { anonymous } from '#shared/text/anonymous.ts'
import { foundShare } from '#shared/text/words.ts'
import type { VerifyReply } from './verify.contract.ts'

type Deps = {
  readonly models: readonly CatalogueModel[]
  readonly inference: Pick<Inference, 'collect' | 'run' | 'keepInput'>
  readonly offered: () => readonly Offer[]
  /** The machine whose models are listed: 'local' or a worker id. */
  readonly active: () => string
  readonly isConnected: (workerId: string) => boolean
  readonly labelOf: (target: string) => string
  readonly clock: Pick<Clock, 'mono'>
}
type Subject = { readonly id: string; readonly engine: string; readonly model: string; readonly row: CatalogueModel | undefined }

const WITHIN_MS = 30 * 60_000
const RECOGNISED_WITHIN_MS = 10 * 60_000
const RECOGNITION_RATE = 16_000
/** Least share of the words of the sentence. */
const MIN_SHARE = 0.6

export function createVerify({ models, inference, offered, active, isConnected, labelOf, clock }: Deps) {
  function subjectOf(id: string, offers: readonly Offer[]): Subject {
    const row = findModel(models, id)
    if (row) return { id, engine: row.engine, model: row.model, row }
    const own = offers.find((offer) => offer.operation === 'verify' && isOwnOffer(offer, id))
    if (own) return { id, engine: own.engine, model: own.model, row: undefined }
    if (modelOfOwnId(id) !== null) throw new Failure('NOT_FOUND', `There is no model ${id.slice(0, 100)} on that machine.`)
    const first = offers.find(({ engine, operation }) => engine === id && operation === 'verify')
    if (first || engineRow(id)) return { id, engine: id, model: first?.model ?? '', row: undefined }
    const similar = similarModels(models, id, 3).map((each) => each.id)
    throw new Failure('BAD_REQUEST', `There is no model ${id.slice(0, 100)}. Similar models: ${similar.join(', ')}.`)
  }

  function refusal({ id, engine, row }: Subject, where: string, offers: readonly Offer[]): Failure {
    const place = where === LOCAL ? 'on this machine' : `on ${labelOf(where)}`
    const verified = offers.filter(({ operation }) => operation === 'verify')
    if (verified.length === 0)
      return new Failure('CONFLICT', `The agent ${place} cannot verify models. Update it to the version of this studio.`)
    if (!row) {
      const firstModel = models.find((model) => model.engine === engine)
      const remedy = firstModel
        ? `Name one of its models, such as ${firstModel.id}.`
        : `It has no weights, or they are not installed; ${COMMAND} models lists what can be.`
      return new Failure('BAD_REQUEST', `There is nothing to verify for ${id.slice(0, 64)} ${place}. ${remedy}`)
    }
    const others = models.filter((model) => verified.some((offer) => offer.engine === model.engine && offer.model === model.model))
    const same = others.filter((model) => model.engine === engine).map((model) => model.id)
    const installed = same.length > 0 ? ` Installed for the same engine: ${same.slice(0, 5).join(', ')}.` : ''
    const message = `The model ${id} is not installed ${place}. Install it with ${COMMAND} models install ${id}.${installed}`
    return modelMissing(engine, message, row, { target: where, label: labelOf(where) })
  }

  /** Never rejects, except when the caller disconnects: a recogniser that fails says nothing about the model. */
  async function recogniseSentence(
    { sentence, sample_rate: rate }: VerifyResult,
    pcm: Buffer,
    offers: readonly Offer[],
    { signal, traceparent }: { readonly signal: AbortSignal; readonly traceparent: string },
  ): Promise<VerifiedCheck | null> {
    if (!sentence || !rate || pcm.length === 0) return null
    const from = clock.mono()
    const check = (outcome: VerifiedCheck['outcome'], found: string, expected = '', engine = 'a recogniser'): VerifiedCheck => ({
      title: `its sentence is recognised by ${engine}`,
      outcome,
      expected,
      found: anonymous(found).slice(0, 1_000),
      seconds: Math.round(clock.mono() - from) / 1000,
    })
    const recogniser = recogniserFor(sentence.language, offers)
    if (!recogniser) return check('skipped', `no recogniser for "${sentence.language}" is installed there`)
    const { engine, model } = recogniser
    const name = model === '' ? engine : `${engine} (${model})`
    try {
      const { wav, seconds } = await recordingOf(pcm, rate)
      const recording = { wav, seconds, withinMs: RECOGNISED_WITHIN_MS, signal, traceparent }
      const { text } = await inference.run(
        await recordingRequest(inference, recogniser, 'asr', { language: sentence.language || null }, recording),
        signal,
      )
      const passes = foundShare(sentence.text, text) >= MIN_SHARE
      return check(passes ? 'pass' : 'differs', text.trim() || 'no words', sentence.text, name)
    } catch (error) {
      signal.throwIfAborted()
      return check('skipped', Failure.from(error).message, sentence.text, name)
    }
  }

  return {
    /**
     * Differences are part of the reply. Throws BAD_REQUEST for an unknown model, MODEL_NOT_DOWNLOADED with what to install, CONFLICT for a
     * machine that is not connected or has an older agent, and how the task failed.
     */
    async run(id: string, target: string | undefined, signal: AbortSignal, traceparent: string): Promise<VerifyReply> {
      const from = clock.mono()
      const where = target ?? active()
      if (!isConnected(where)) {
        if (where === LOCAL) throw new Failure('NOT_READY', 'The local agent is starting. Try again in a moment.')
        throw new Failure('CONFLICT', 'The chosen machine is not connected.')
      }
      const offers = offersAt(offered(), where)
      const subject = subjectOf(id, offers)
      const { engine, model } = subject
      if (!offers.some((offer) => offer.engine === engine && offer.model === model && offer.operation === 'verify'))
        throw refusal(subject, where, offers)
      const { result, output } = await inference.collect(
        { operation: 'verify', engine, model, params: {}, target: where, withinMs: WITHIN_MS, ephemeral: true, traceparent },
        signal,
      )
      const recognised = await recogniseSentence(result, output, offers, { signal, traceparent })
      const checks = recognised ? [...result.checks, recognised] : result.checks
      return {
        repo_id: subject.id,
        engine,
        model,
        is_local: where === LOCAL,
        passed: checks.every(({ outcome }) => outcome !== 'differs'),
        studio_version: VERSION,
        reference: result.reference,
        platform: result.platform,
        device: result.device ?? '',
        device_reason: result.device_reason ?? '',
        versions: result.versions,
        files: result.files.map(({ isIntact, ...file }) => ({ ...file, is_intact: isIntact })),
        checks,
        seconds: Math.round(clock.mono() - from) / 1000,
      }
    },
  }
}

/** A neural recogniser of that machine; endpoints and programs of the system would test something else. */
function recogniserFor(language: string, offers: readonly Offer[]): Offer | undefined {
  const able = offers.filter(
    (offer) =>
      offer.operation === 'asr' &&
      runs(offer) &&
      engineRow(offer.engine)?.packaging === 'built-in' &&
      (offer.languages.includes('*') || offer.languages.includes(language)),
  )
  return PREFERRED_ENGINES.asr.map((id) => able.find(({ engine }) => engine === id)).find((offer) => offer !== undefined)
}

async function recordingOf(pcm: Buffer, rate: number): Promise<{ wav: Buffer; seconds: number }> {
  const samples = Float32Array.from({ length: pcm.length >> 1 }, (_, at) => pcm.readInt16LE(at * 2) / 32_768)
  const resampler = await openResampler(rate, RECOGNITION_RATE)
  try {
    const pieces = [resampler.push(samples).slice(), resampler.flush().slice()]
    const made = Buffer.concat(
      pieces.map((piece) => Buffer.from(Int16Array.from(piece, (sample) => Math.max(-32_768, Math.min(32_767, sample * 32_768))).buffer)),
    )
    const header = wavHeader({ sampleRate: RECOGNITION_RATE, channels: 1, samples: made.length / 2 })
    return { wav: Buffer.concat([header, made]), seconds: made.length / 2 / RECOGNITION_RATE }
  } finally {
    resampler.close()
  }
}
