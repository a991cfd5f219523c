// `stop` and `finish`: end the studio of this data folder, now or after its work. It ends with status 0, after which no service starts it again.
import { type CommandRun, Misuse, parseArguments, print, refuseArguments, type Terminal } from '#cli/lib/command.ts'
import { studioAddress } from '#cli/lib/studio/address.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { finishOwnStudio, ownStudio } from '#cli/lib/studio/own.ts'
import { readStudioState } from '#cli/lib/studio/state.ts'
import { findService } from '#cli/service/services.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { isAlive } from '#shared/runtime/child/process-start.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'

/** Longest stop, beside the time for work. A service manager kills the program after 45 seconds. */
const STOP_MS = 60_000
const LOOK_MS = 100
const MAX_WAIT_SECONDS = 86_400
const DONE = 'The studio has stopped.'

function refuseContainer({ env }: Terminal): void {
  if (env['VOICE_STUDIO_IN_IMAGE'] === '1')
    throw new Failure('CONFLICT', 'The engine of this container would start the studio again. Stop the container instead.')
}

/** Throws NOT_READY if no studio of this data folder answers. */
async function required({ env }: Terminal): Promise<void> {
  if ((await ownStudio(env)) === null)
    throw new Failure('NOT_READY', `No studio with the data of ${studioFolder(env)} is running at ${studioAddress(env).shown}.`)
}

/** False if the signal aborts first. Throws PROGRAM_FAILED for a process that outlives `withinMs`. */
async function hasEnded(pid: number, withinMs: number, signal: AbortSignal): Promise<boolean> {
  const until = clock.mono() + withinMs
  while (isAlive(pid)) {
    if (signal.aborted) return false
    if (clock.mono() > until)
      throw new Failure('PROGRAM_FAILED', `The studio (process ${pid}) is still stopping. Its log says why: ${COMMAND} logs`)
    await clock.sleep(LOOK_MS)
  }
  return true
}

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, { json: { type: 'boolean' } })
  refuseArguments('stop', positionals)
  const { env, output } = terminal
  refuseContainer(terminal)
  const service = await runningService(terminal)
  if (service) await service.stop()
  else await required(terminal)
  const pid = service ? service.pid : (await finishOwnStudio(env, 0, 'stop')).pid
  if (pid !== null) await hasEnded(pid, STOP_MS, new AbortController().signal)
  const lines = [service ? `${DONE} Its service starts it again ${service.again}.` : DONE]
  print({ value: { stopped: true, service: service !== null }, lines }, values.json, output)
  return 0
}

/** The service of this program and this data folder that runs, if its manager can stop it; null for any other studio. */
async function runningService(terminal: Terminal) {
  // A system without services, or one whose manager does not answer: the studio is asked itself.
  const found = await findService('studio', terminal).catch(() => null)
  if (found === null || found.origin !== 'ours' || found.system.stop === null) return null
  const { running, pid, starts } = await found.system.state()
  const again = starts === 'boot' ? 'with the machine' : starts === 'login' ? 'when you log in' : `with ${COMMAND} service install`
  return running ? { stop: found.system.stop, pid, again } : null
}

export const runFinish: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, { json: { type: 'boolean' }, wait: { type: 'string' } })
  refuseArguments('finish', positionals)
  const waitSeconds = secondsIn(values.wait)
  const { env, output, errors } = terminal
  refuseContainer(terminal)
  await required(terminal)
  const signal = terminal.interrupted()
  const { jobs } = await readStudioState(env)
  const { pid, running } = await finishOwnStudio(env, waitSeconds, 'stop')
  const work = [running > 0 && counted(running, 'request'), jobs.running > 0 && counted(jobs.running, 'job')].filter(Boolean).join(' and ')
  const waiting = jobs.waiting > 0 ? ` ${counted(jobs.waiting, 'waiting job')} will go on at the next start.` : ''
  errors.write(
    `studio: No new work is accepted. ${work === '' ? 'Nothing runs' : `Waiting for ${work}`}, then the studio stops.${waiting}\n`,
  )
  if (!(await hasEnded(pid, waitSeconds * 1000 + STOP_MS, signal))) {
    errors.write(`studio: The studio goes on to finish. ${COMMAND} status shows it, and ${COMMAND} stop ends it at once.\n`)
    return 0
  }
  print({ value: { stopped: true, requests: running, jobs: jobs.running, waiting_jobs: jobs.waiting }, lines: [DONE] }, values.json, output)
  return 0
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function secondsIn(text = String(MAX_WAIT_SECONDS)): number {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(seconds <= MAX_WAIT_SECONDS)) throw new Misuse(`--wait takes a number of seconds from 0 to ${MAX_WAIT_SECONDS}.`)
  return seconds
}
