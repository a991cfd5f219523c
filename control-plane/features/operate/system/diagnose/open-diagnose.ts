// Connects the self-check and the bundle to the parts of the studio that they describe.
import { join } from 'node:path'
import type { EnginesApi } from '#control-plane/features/machines/engines/api.ts'
import type { SpeechApi } from '#control-plane/features/speech/speech/api.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { Platform } from '#control-plane/kernel/platform.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { tailOf } from '../logs/log-tail.ts'
import { type Bundles, createBundles } from './bundle.service.ts'
import { createDeepSynthesis } from './deep-synthesis.ts'
import { diagnoseContracts } from './diagnose.contract.ts'
import { createDiagnose, type Diagnose } from './diagnose.service.ts'
import { readMachineLog } from './machine-log.ts'

const diagnoseRoutes = ({ diagnose, bundles }: { readonly diagnose: Diagnose; readonly bundles: Bundles }): Route[] => [
  handle(diagnoseContracts.diagnose, ({ query, signal }) => diagnose(query, signal)),
  handle(diagnoseContracts.writeBundle, ({ query, signal }) => bundles.write(query.network, signal)),
]

type Parts = {
  readonly engines: EnginesApi
  readonly speech: Pick<SpeechApi, 'synthesis'>
  readonly hasHubToken: () => boolean
  readonly freeDisk: () => Promise<number | null>
}

export function openDiagnose(platform: Platform, { engines, speech, hasHubToken, freeDisk }: Parts) {
  const { settings, diagnostics, machines, ledger, ffmpegPath, dataDir, audioFolder, clock, version } = platform
  const { scrub, errors, crashLog, logFile, logFolder } = diagnostics
  const diagnose = createDiagnose({
    version,
    dataDir,
    gpu: () => machines.get(LOCAL)?.gpus()[0]?.model ?? null,
    ffmpegPath,
    hasHubToken,
    freeDisk,
    engine() {
      const { active, backends } = engines.tts()
      const row = machines.get(LOCAL)?.isReady() ? backends.find(({ id }) => id === active) : undefined
      if (!row) return null
      const { id, available, reason, effective_device: device, routing_status: routing, routing_reason: routingReason } = row
      return { id, available, reason, device, routing, routingReason }
    },
    engines() {
      const { backends } = engines.tts()
      return { available: backends.filter(({ available }) => available).length, all: backends.length }
    },
    modelServer: () => settings.modelsUrl,
    deepSynthesis: createDeepSynthesis({
      synthesis: speech.synthesis,
      engine: () => engines.active('tts'),
      isLoading: () => [...ledger.live()].some(({ task, spec }) => spec.operation === 'tts' && task.phase === 'loading'),
      clock,
    }),
    scrub,
    clock,
  })
  const linesOf = (path: string) => async (count: number) => (await tailOf(path, count).catch(() => null))?.lines ?? []
  const bundles = createBundles({
    version,
    outputsDir: audioFolder,
    diagnose,
    errors,
    logs: {
      studio: linesOf(logFile.path),
      shell: linesOf(join(logFolder, 'shell.log')),
      crash: linesOf(crashLog.path),
      agent: (count) => readMachineLog(machines.get(LOCAL), count, clock),
    },
    scrub,
    clock,
  })
  return diagnoseRoutes({ diagnose, bundles })
}
