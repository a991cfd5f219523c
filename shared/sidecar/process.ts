// One sidecar process: starts it, exchanges hellos, sends and receives messages, and always ends it. It handles frames and messages, not runs.
import { existsSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { foreignAccess, foreignAccessBelow } from '#shared/runtime/access/foreign-access.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { readLog } from '#shared/runtime/lines.ts'
import { lowerPriority } from '#shared/runtime/program.ts'
import { createFrameReader, encodeFrame } from './frames.ts'
import { FromSidecar, SIDECAR_PROTOCOL, type ToSidecar } from './messages.ts'

export type Sidecar = {
  readonly pid: number | undefined
  readonly version: string
  readonly send: (message: ToSidecar) => void
  /** Stops and resumes reading; the sidecar is blocked meanwhile. */
  readonly pause: () => void
  readonly resume: () => void
  /** Sends SIGKILL to it and its children, and sets the reason for `ended`; the first reason wins. */
  readonly kill: (reason: Failure) => void
  /** Asks it to exit, and kills it after the grace period. */
  readonly end: (graceMs: number) => Promise<void>
  /** Resolves at its end to the reason; null after `end`. */
  readonly ended: Promise<Failure | null>
}
type SidecarOptions = {
  readonly engine: string
  readonly command: readonly string[]
  readonly folder: string
  readonly clock: Clock
  readonly helloMs: number
  /** Kills it, before and after its hello. */
  readonly signal?: AbortSignal
  /** The whole environment; without it the variables that every child has. */
  readonly environment?: Readonly<Record<string, string>>
  readonly onMessage: (message: FromSidecar, payload: Buffer) => void
  readonly onLog: (line: string) => void
}

/**
 * Resolves after its hello. Rejects with FILES_NOT_PRIVATE when other users can change its files, ENGINE_CRASHED, ENGINE_HUNG, or WORKER_FAILED
 * for an invalid message.
 */
export async function startSidecar({
  engine,
  command,
  folder,
  clock,
  helloMs,
  signal,
  environment,
  onMessage,
  onLog,
}: SidecarOptions): Promise<Sidecar> {
  requirePrivate(engine, folder, command)
  const [program = '', ...args] = command
  const child = spawnGroup(program, args, {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(environment && { env: { ...environment } }),
  })
  lowerPriority(child.pid)
  let reason: Failure | null = null
  let isLeaving = false
  let version: string | null = null
  const helloReceived = Promise.withResolvers<void>()

  const kill = (why: Failure) => {
    reason ??= why
    killGroup(child)
  }
  const gone = new Promise<Failure | null>((resolve) => {
    const over = (what: string) =>
      resolve(reason ?? (isLeaving ? null : new Failure('ENGINE_CRASHED', `The sidecar of ${engine} died (${what}).`)))
    child.once('error', (error: NodeJS.ErrnoException) =>
      over(error.code === 'ENOENT' ? `there is no ${program}` : (error.code ?? 'it did not start')),
    )
    child.once('exit', (code, signal) => over(signal ?? `exit code ${code}`))
  })
  const aborted = () => kill(new Failure('CANCELLED', `The sidecar of ${engine} was stopped.`))
  signal?.addEventListener('abort', aborted, { once: true })
  if (signal?.aborted) aborted()
  void gone.then(() => signal?.removeEventListener('abort', aborted))

  const read = createFrameReader()
  child.stdout.on('data', (bytes: Buffer) => {
    if (reason) return
    try {
      for (const { header, payload } of read(bytes)) {
        const parsed = FromSidecar.safeParse(header)
        if (!parsed.success)
          throw new Failure('WORKER_FAILED', `It sent a message with an invalid ${parsed.error.issues[0]?.path.join('.') || 'type'}.`)
        if (parsed.data.type !== 'hello' && version === null) throw new Failure('WORKER_FAILED', 'It did not send a hello first.')
        if (parsed.data.type === 'hello') {
          if (parsed.data.engine !== engine) throw new Failure('WORKER_FAILED', 'Its hello names another engine.')
          version = parsed.data.version
          helloReceived.resolve()
        } else onMessage(parsed.data, payload)
      }
    } catch (error) {
      const { code, message } = Failure.from(error)
      kill(new Failure(code, `The sidecar of ${engine} was ended. ${message}`))
    }
  })
  for (const stream of child.stdio) stream?.on('error', () => {}) // the exit event that follows reports it
  readLog(child.stderr, clock, onLog)

  const send = (message: ToSidecar) => void (child.stdin.writable && child.stdin.write(encodeFrame(message)))
  send({ type: 'hello', protocol: SIDECAR_PROTOCOL, engine })
  const cancelTimer = clock.after(helloMs, () =>
    kill(new Failure('ENGINE_HUNG', `The sidecar of ${engine} did not send a hello within ${helloMs / 1000} s.`)),
  )
  const early = await Promise.race([helloReceived.promise.then(() => 'greeted' as const), gone])
  cancelTimer()
  if (early !== 'greeted') throw early ?? new Failure('ENGINE_CRASHED', `The sidecar of ${engine} exited.`)
  return {
    pid: child.pid,
    version: version ?? '',
    send,
    pause: () => void child.stdout.pause(),
    resume: () => void child.stdout.resume(),
    kill,
    ended: gone,
    async end(graceMs) {
      isLeaving = true
      send({ type: 'bye' })
      child.stdin.end()
      child.stdout.resume()
      const stopWaiting = clock.after(graceMs, () => killGroup(child))
      await gone
      stopWaiting()
    },
  }
}

/** Checked at every start, because access rights may have changed since the installation: the folder, its files, and the paths of the command. */
function requirePrivate(engine: string, folder: string, command: readonly string[]): void {
  if (!existsSync(folder)) return // the start that follows reports it
  const real = realpathSync(folder)
  const named = command.flatMap((word) => (/[\\/]/.test(word) && existsSync(resolve(real, word)) ? [resolve(real, word)] : []))
  const foreign =
    foreignAccess(real) ??
    foreignAccessBelow(real, (path) => dirname(path) !== real) ??
    named.map(foreignAccess).find((found) => found !== null)
  if (foreign) throw new Failure('FILES_NOT_PRIVATE', `The sidecar of ${engine} was not started. ${foreign.problem} ${foreign.remedy}`)
}
