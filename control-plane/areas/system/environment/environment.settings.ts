import { z } from 'zod'
import { type Setting, setting } from '../../../store/setting.ts'
import { STORED } from './environment.rules.ts'

/** A variable that was set in the running studio; '' when it is not set. Proxies and keys contain passwords. */
export const variableSetting = (name: string): Setting<string> =>
  setting({
    key: `env.${name}`,
    schema: z.string().max(2_048),
    fallback: '',
    summary: `The variable ${name}, as set in the running studio.`,
    changedBy: 'Set this variable with POST /system/set-env, which checks its value.',
    secret: true,
  })

export const environmentSettings = Object.fromEntries(STORED.map((name) => [name, variableSetting(name)]))
