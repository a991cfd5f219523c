// The operation `verify` of every engine with a verification. It runs in the host of the engine, and goes on after a difference: the report
// of a model that does not load is the one that is needed most.

import { homedir, hostname, tmpdir, userInfo } from 'node:os'
import type { EngineDefinition } from '#agent/engine/seam/define.ts'
import type { Engine, EngineEvent } from '#agent/engine/seam/engine.ts'
import { findDownloaded, type ModelFiles } from '#agent/engine/seam/model-files.ts'
import type { Check, Verification } from '#agent/engine/seam/verification.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import { concat } from '#shared/audio/stage.ts'
import { SampleRate } from '#shared/operations/limits.ts'
import { parseParams } from '#shared/operations/table.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { type VerifiedCheck, type VerifiedFile, VerifyParams, type VerifyResult } from '#shared/operations/verify.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { anonymous } from '#shared/text/anonymous.ts'
import { type Clip, makeClip } from './clips.ts'
import { graphChecks } from './graphs.ts'
import { inventoryOf, platformName, versionsOf } from './inventory.ts'
import { judgeRun } from './judge.ts'

type Deps = {
  readonly definition: Pick<EngineDefinition, 'id' | 'readsFilesOf'> & { readonly verification: Verification }
  readonly engine: Engine
  readonly filesOf: FilesOf
  /** Loads a model of the engine; called once. */
  readonly load: (model: string) => Promise<void>
  readonly clock: Pick<Clock, 'mono'>
  /** Texts that must not appear in a report, such as the folder of the models. */
  readonly secrets?: readonly string[]
}
type Sound = { readonly samples: Float32Array; readonly rate: number; readonly text: string; readonly language: string }
type RunCheck = Extract<Check, { kind: 'run' }>
type Judged = Omit<VerifiedCheck, 'seconds' | 'title'>

const LINE = 1_000
const MAX_SOUND_SECONDS = 30
const STAGE = 'verifying'
const pass = (found = ''): Judged => ({ outcome: 'pass', expected: '', found })

/** Long factory: the checks share the files, the clips and the report. */
export function createVerifier({ definition, engine, filesOf, load, clock, secrets = [] }: Deps): Pick<Engine, 'run'> {
  const { id, verification } = definition

  async function* run(_operation: string, given: unknown, signal: AbortSignal, _inputs?: unknown, model = ''): AsyncGenerator<EngineEvent> {
    parseParams(VerifyParams, given)
    const files = filesFor(model)
    const all = verification.checks(model, files)
    const runs = all.filter((check) => check.kind === 'run')
    const values = all.filter((check) => check.kind === 'value')
    const checks: VerifiedCheck[] = []
    const attempt = async (title: string, work: () => Promise<Judged>): Promise<boolean> => {
      const from = clock.mono()
      const judged = await work().catch((error: unknown): Judged => {
        if (signal.aborted) throw signal.reason
        return { outcome: 'differs', expected: '', found: sentenceOf(error) }
      })
      signal.throwIfAborted()
      const line = (text: string) => anonymous(text, names).slice(0, LINE)
      const seconds = Math.round(clock.mono() - from) / 1000
      checks.push({ title, outcome: judged.outcome, expected: line(judged.expected), found: line(judged.found), seconds })
      return judged.outcome === 'pass'
    }
    const names = [...secrets, ...identifyingNames()]
    const progress = (share: number): EngineEvent => ({ kind: 'progress', progress: share, stage: STAGE })

    let inventory: VerifiedFile[] = []
    await attempt('files are those of the installation', async () => {
      inventory = await inventoryOf(files, signal)
      const broken = inventory.filter(({ isIntact }) => !isIntact).map(({ name }) => name)
      if (broken.length === 0) return pass(`${inventory.length} of ${inventory.length} unchanged`)
      return { outcome: 'differs', expected: 'the digests that were recorded', found: `changed: ${broken.join(', ')}` }
    })
    yield progress(0.1)
    for (const { title, judge } of graphChecks(all, files)) await attempt(title, judge)
    for (const { title, expected, find } of values)
      await attempt(title, async () => {
        const found = await find({ files, signal })
        return found === expected ? pass(found) : { outcome: 'differs', expected, found }
      })
    yield progress(0.2)
    const isLoaded = await attempt('model loads', async () => {
      await load(modelOf(model))
      const placement = engine.placement?.()
      return pass(placement ? [placement.device, placement.reason].filter(Boolean).join(': ') : '')
    })
    let sound: Sound | null = null
    for (const [at, check] of runs.entries()) {
      yield progress(0.3 + (0.6 * at) / runs.length)
      await attempt(check.title, async () => {
        if (!isLoaded) return { outcome: 'skipped', expected: '', found: 'the model does not load' }
        const made = await runOnce(check, modelOf(model, check.operation), signal)
        sound ??= made.sound
        return { ...made.judgement, outcome: made.judgement.passes ? 'pass' : 'differs' }
      })
    }
    const spoken = sound as Sound | null
    if (spoken) yield { kind: 'audio', part: 0, samples: spoken.samples }
    yield progress(1)
    const placement = engine.placement?.()
    const result: VerifyResult = {
      engine: id,
      model,
      reference: verification.reference,
      versions: versionsOf(verification.packages),
      platform: platformName(),
      device: placement?.device ?? engine.describe()[0]?.device,
      device_reason: anonymous(placement?.reason ?? '', names).slice(0, LINE),
      files: inventory,
      checks,
      sample_rate: spoken?.rate ?? null,
      parts: spoken ? [{ samples: spoken.samples.length }] : [],
      sentence: spoken && { text: spoken.text, language: spoken.language },
    }
    yield { kind: 'result', result }
  }

  function filesFor(model: string): ModelFiles {
    const packaged = verification.packagedFiles
    const found = packaged
      ? packaged()
      : (verification.filesOf ?? ((all, name) => findDownloaded(all, definition.readsFilesOf ?? id, name)))(filesOf, model)
    if (found) return found
    if (packaged) throw new Failure('MODEL_NOT_INSTALLED', `The weights of ${id} are missing. Install the packages of this program again.`)
    throw new Failure('MODEL_NOT_DOWNLOADED', `The model ${model === '' ? 'of' : `${model} of`} ${id} is not downloaded on this machine.`)
  }

  /** The engine's own name for a model of the catalogue; '' lets the engine choose. */
  const modelOf = (model: string, operation?: string): string =>
    engine.describe().some((row) => row.model === model && (operation === undefined || row.operation === operation)) ? model : ''

  async function runOnce({ operation, params, clip: clipId, expect }: RunCheck, model: string, signal: AbortSignal) {
    const clip: Clip | null = clipId === undefined ? null : await makeClip(clipId)
    const inputs = new Map(clip ? [[operation === 'tts' ? 'reference' : 'audio', clip.wav]] : [])
    const pieces = new Map<number, Float32Array[]>()
    let result: Record<string, unknown> = {}
    for await (const event of engine.run(operation, params, signal, inputs, model)) {
      if (event.kind === 'audio') pieces.set(event.part, [...(pieces.get(event.part) ?? []), event.samples.slice()])
      if (event.kind === 'result') result = event.result
    }
    const parts = Array.from({ length: Math.max(0, ...[...pieces.keys()].map((part) => part + 1)) }, (_, part) =>
      concat(pieces.get(part) ?? []),
    )
    const judgement = judgeRun(expect, { result, parts }, clip)
    const rate = Number(result['sample_rate'])
    const samples = parts[0]?.subarray(0, Math.round(MAX_SOUND_SECONDS * rate))
    // A wrong model may announce a rate that a result cannot have; the judgement names it.
    const isSound = SampleRate.safeParse(rate).success && samples !== undefined && samples.length > 0 && samples.every(Number.isFinite)
    const sound: Sound | null = isSound && operation === 'tts' ? { samples, rate, ...spokenBy(params) } : null
    return { judgement, sound }
  }

  return { run }
}

function spokenBy(params: object): { text: string; language: string } {
  const { segments, language } = TtsParams.parse(params)
  return { text: segments.map(({ text }) => text).join(' '), language: language ?? '' }
}

function sentenceOf(error: unknown): string {
  const { code, message } = Failure.from(error, 'WORKER_FAILED')
  return `${code}: ${message}`
}

/** Names that identify this machine and its user. */
function identifyingNames(): string[] {
  try {
    return [homedir(), tmpdir(), process.cwd(), hostname(), userInfo().username]
  } catch {
    return [hostname()] // a user without an entry in the user database
  }
}
