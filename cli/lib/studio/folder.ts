// The data folder of the studio of this machine.
import { readSettings } from '#shared/protocol/settings.ts'
import type { Environment } from '../command.ts'

/** Throws for invalid settings. The address of the studio is no concern of its folder: a command may name one elsewhere. */
export const studioFolder = (env: Environment): string => readSettings({ ...env, STUDIO_HOST: undefined }).dataDir
