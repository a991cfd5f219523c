// The studio of a package: how it is started from the program folder, and how an update reaches the one that runs.

import type { Writable } from 'node:stream'
import { type Environment, ROOT } from '#cli/lib/command.ts'
import { studioAddress } from '#cli/lib/studio/address.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { finishOwnStudio, ownStudio } from '#cli/lib/studio/own.ts'
import { switchedDatabase } from '#control-plane/store/files/upgrade.ts'
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

/** Reaches a studio that runs with this data folder. */
export const studioRunner = (env: Environment): Runner => ({
  running: () => ownStudio(env),
  finish: async (waitSeconds) => (await finishOwnStudio(env, waitSeconds, 'switch')).pid,
  address: studioAddress(env).shown,
})
