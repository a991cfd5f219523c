// A studio that is being restarted: commands wait for it instead of failing in between.
import { statSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '#shared/protocol/failure.ts'
import { request as httpRequest } from '#shared/runtime/builtin/http.ts'
import { logPath } from '#shared/runtime/log/paths.ts'
import type { Environment } from '../command.ts'
import { isOfThisMachine, studioAddress } from './address.ts'
import { studioFolder } from './folder.ts'

const LOOK_MS = 250
const ANSWER_MS = 5_000
/** Longest restart of a studio that was there a moment ago. */
const RESTART_MS = 60_000
/** The same for one that has written to its log in the last FRESH_MS: it is starting, or was stopped just now. */
const START_MS = 15_000
const FRESH_MS = 20_000

const codeOf = (error: unknown): string => {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return (error instanceof Failure ? cause?.code : code) ?? ''
}
/** True if nothing listens at the address of the studio. */
export const isRefused = (error: unknown): boolean => codeOf(error) === 'ECONNREFUSED'
/** True if the connection ended before the answer was complete. */
export const isCut = (error: unknown): boolean => ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(codeOf(error))

const said = new Set<string>()
/** Writes a notice, once in a command. */
export function sayOnce(notice: string): void {
  if (!said.has(notice)) process.stderr.write(`studio: ${notice}\n`)
  said.add(notice)
}

/** Addresses of studios that have answered this command. */
const known = new Set<string>()
/** The studio has answered: from now on the command waits for its restart. */
export const noteAnswer = (env: Environment): void => void known.add(studioAddress(env).shown)

/** True if a studio that does not listen does so soon: one that has answered this command, or one of this machine that is starting. */
export async function isStarting(env: Environment, signal?: AbortSignal): Promise<boolean> {
  if (known.has(studioAddress(env).shown))
    return answers(env, RESTART_MS, 'The studio does not answer any more. Waiting for it to come back.', signal)
  if (!isOfThisMachine(studioAddress(env)) || !isLogFresh(env)) return false
  return answers(
    env,
    START_MS,
    'The studio does not answer yet. Its log is a few seconds old, so it may be starting: waiting for it.',
    signal,
  )
}

/** True if the error is a closed connection, and the studio answers again. */
export const isBackAfter = async (error: unknown, env: Environment, signal?: AbortSignal): Promise<boolean> =>
  isCut(error) && (await isBack(env, signal))

/** True if the studio answers, if need be after a restart. */
export const isBack = (env: Environment, signal?: AbortSignal): Promise<boolean> =>
  answers(env, RESTART_MS, 'The studio closed the connection. Waiting for it to come back.', signal)

/** Restarts of the studio during one upload or one stream of events, beyond which a command ends. */
export const MOST_RESTARTS = 3
/** Sends a file that leaves nothing behind when it is cut off, again after each restart of the studio. */
export async function uploaded<T>(env: Environment, attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let left = MOST_RESTARTS; ; left--)
    try {
      return await attempt()
    } catch (error) {
      if (left === 0 || !(await isBackAfter(error, env, signal))) throw error
      sayOnce('The upload was cut off. Sending the file again.')
    }
}

/** Runs `attempt` once more if the studio has closed the connection and is back, and nothing of the first attempt is left. */
export async function evenAfterRestart<T>(
  env: Environment,
  attempt: () => Promise<T>,
  { signal, mayRepeat = () => true }: { readonly signal?: AbortSignal | undefined; readonly mayRepeat?: () => boolean },
): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (!mayRepeat() || !(await isBackAfter(error, env, signal))) throw error
    return attempt()
  }
}

async function answers(env: Environment, withinMs: number, notice: string, signal?: AbortSignal): Promise<boolean> {
  const until = performance.now() + withinMs
  if (await isAnswering(env)) return true
  sayOnce(notice)
  while (performance.now() < until) {
    await pause(LOOK_MS, undefined, signal && { signal })
    if (await isAnswering(env)) return true
  }
  return false
}

/** A connection alone proves nothing: the system accepts it also for a program that is ending, and a proxy for one that is not there. */
function isAnswering(env: Environment): Promise<boolean> {
  const { isSecure, host, port, base } = studioAddress(env)
  return new Promise((resolve) => {
    const call = (isSecure ? httpsRequest : httpRequest)(
      { host, port, path: `${base}/health`, timeout: ANSWER_MS, agent: false },
      (answer) => {
        answer.resume()
        resolve((answer.statusCode ?? 500) < 500)
      },
    )
    call.once('timeout', () => call.destroy(new Error('no answer in time')))
    call.once('error', () => resolve(false))
    call.end()
  })
}

function isLogFresh(env: Environment): boolean {
  try {
    return Date.now() - statSync(logPath(studioFolder(env))).mtimeMs < FRESH_MS
  } catch {
    return false
  }
}
