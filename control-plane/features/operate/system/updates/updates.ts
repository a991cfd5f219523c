// Looks for a newer version, at most once a day, if the owner has allowed it: one request to the package registry, without anything about this studio.
import { z } from 'zod'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { parseJson } from '#shared/protocol/json.ts'
import { COMMAND, isNewer, isRelease, PACKAGES, PUBLISHED, REGISTRY } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { updateSettings } from '../environment/environment.settings.ts'
import type { UpdateState } from '../notices/notices.contract.ts'

type Deps = {
  readonly choices: Pick<OwnerSettings, 'read' | 'write'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly version: string
  /** The program is replaced together with the image of its container. */
  readonly inImage: boolean
  readonly published?: boolean
  readonly registry?: string
  readonly patienceMs?: number
}

const DAY_MS = 86_400_000
const PATIENCE_MS = 10_000
const MAX_BYTES = 8 * 1024
/** The same for every studio. */
const USER_AGENT = 'voice-studio'
const Tags = z.object({ latest: z.string().max(64).refine(isRelease) })

export function createUpdates(deps: Deps) {
  const { choices, clock, log, version, inImage, published = PUBLISHED } = deps
  let isLooking = false

  /** True if the last look was more than a day ago, or in the future, which a clock that was corrected leaves. */
  const isDue = (): boolean => Math.abs(clock.now() - choices.read(updateSettings.lastLook).at) >= DAY_MS

  return {
    state(): UpdateState {
      const { at, newest, isFailed } = choices.read(updateSettings.lastLook)
      const found = newest !== null && isNewer(newest, version) ? newest : null
      const seen = at === 0 ? 'unchecked' : isFailed ? 'failed' : 'current'
      return {
        state: !published ? 'unpublished' : found !== null ? 'newer' : seen,
        version,
        newest: found,
        checked_at: at === 0 ? null : at / 1000,
        command: inImage ? null : (COMMAND as string) === PACKAGES.studio ? `${COMMAND} update` : 'git pull',
      }
    },
    /** Looks if that is allowed and due. Rejects with disk errors only. */
    async look(signal: AbortSignal): Promise<void> {
      if (!published || isLooking || !choices.read(updateSettings.looksForUpdates) || !isDue()) return
      isLooking = true
      try {
        const before = choices.read(updateSettings.lastLook).newest
        // Before the request: a process that is killed, and a disk that is full, do not make it a second one of the day.
        await choices.write(updateSettings.lastLook, { at: clock.now(), newest: before, isFailed: true })
        const newest = await newestOf(deps, signal).catch((error: unknown) => {
          log.warn({ err: String(error) }, 'no newer version could be looked for')
          return null
        })
        if (signal.aborted) return
        await choices.write(updateSettings.lastLook, { at: clock.now(), newest: newest ?? before, isFailed: newest === null })
        if (newest !== null && isNewer(newest, version)) log.info({ newest }, 'a newer version is published')
      } finally {
        isLooking = false
      }
    },
  }
}

/** The version that the registry calls the latest. Rejects for every other answer. */
async function newestOf({ registry = REGISTRY, patienceMs = PATIENCE_MS }: Deps, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${registry}/-/package/${PACKAGES.studio}/dist-tags`, {
    headers: { 'user-agent': USER_AGENT, accept: 'application/json' },
    credentials: 'omit',
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
  })
  if (!response.ok || response.body === null) {
    await response.body?.cancel().catch(() => {})
    throw new Error(`status ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Tags.parse(parseJson(Buffer.concat(chunks), { bytes: MAX_BYTES })).latest
}
