// The studio of a package: how it is started from the program folder, and how an update reaches the one that runs.

import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { z } from 'zod'
import { type Environment, ROOT } from '#cli/lib/command.ts'
import { studioAddress } from '#cli/lib/studio/address.ts'
import { readNow, requestJson } from '#cli/lib/studio/api.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { switchedDatabase } from '#control-plane/store/files/upgrade.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Launched, launch } from './launch.ts'
import type { Runner } from './update.ts'

type Studio = {
  readonly words: readonly string[]
  readonly env: Environment
  readonly errors: Writable
  readonly run: (launched: Launched) => Promise<number>
}

export function launchStudio({ words, env, errors, run }: Studio): Promise<number> {
  const dataFolder = studioFolder(env)
  return launch({ dataFolder, root: ROOT, words, env, data: switchedDatabase(dataFolder), errors, run })
}

const Info = z.object({ data_dir: z.string() })
const Health = z.object({ version: z.string() })
const Finishing = z.object({ pid: z.int().min(1) })

/** Reaches a studio that runs with this data folder. */
export function studioRunner(env: Environment): Runner {
  const dataFolder = studioFolder(env)
  return {
    async running() {
      try {
        const { version } = Health.parse(await readNow(env, '/health'))
        const { data_dir } = Info.parse(await readNow(env, '/system/info'))
        return join(data_dir) === join(dataFolder) ? { version } : null
      } catch (error) {
        const { code } = Failure.from(error)
        if (code === 'NOT_READY') return null
        throw error
      }
    },
    async finish(waitSeconds) {
      const { pid } = Finishing.parse(await requestJson(env, 'POST', '/system/finish', { wait_seconds: waitSeconds }))
      return pid
    },
    address: studioAddress(env).shown,
  }
}
