// The studio that runs with the data folder of this command, and the end of its work.
import { join } from 'node:path'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import type { Environment } from '../command.ts'
import { readNow, requestJson } from './api.ts'
import { studioFolder } from './folder.ts'

const Info = z.object({ data_dir: z.string() })
const Health = z.object({ version: z.string() })
const Finishing = z.object({ pid: z.int().min(1), running: z.int().min(0) })

/** Null if none answers, or one with another data folder. */
export async function ownStudio(env: Environment): Promise<{ readonly version: string } | null> {
  try {
    const { version } = Health.parse(await readNow(env, '/health'))
    const { data_dir } = Info.parse(await readNow(env, '/system/info'))
    return join(data_dir) === join(studioFolder(env)) ? { version } : null
  } catch (error) {
    if (Failure.from(error).code === 'NOT_READY') return null
    throw error
  }
}

/** The studio refuses new work and ends. Resolves with its process and the number of requests that run. Rejects with a Failure. */
export const finishOwnStudio = async (env: Environment, waitSeconds: number, after: 'switch' | 'stop') =>
  Finishing.parse(await requestJson(env, 'POST', '/system/finish', { wait_seconds: waitSeconds, after }))
