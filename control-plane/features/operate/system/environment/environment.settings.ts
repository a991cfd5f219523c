import { z } from 'zod'
import { type Setting, type SettingControls, setting } from '#control-plane/store/setting.ts'
import { STORED, VALUE_CHARS } from './environment.rules.ts'

const PROXY = 'http://host:port. The studio and its downloads use it at once. It is stored encrypted, because it may contain a password.'
const PORT = 'The number of a port that no other program uses.'
const KEY = 'For translation by this service. It is stored encrypted and never shown.'
/** The variables that the Settings page shows. */
const CONTROLS: Readonly<Record<string, SettingControls>> = {
  HTTPS_PROXY: { group: 'network', title: 'Proxy for https', help: PROXY },
  HTTP_PROXY: { group: 'network', title: 'Proxy for http', help: PROXY },
  ALL_PROXY: { group: 'network', title: 'Proxy for everything else', help: PROXY },
  VOICESTUDIO_PORT: { group: 'network', title: 'Port of the studio', help: PORT, needsRestart: true },
  VOICESTUDIO_SHARE_PORT: { group: 'network', title: 'Port for other devices', help: PORT, needsRestart: true },
  DEEPL_API_KEY: { group: 'services', title: 'DeepL key', help: KEY },
  GOOGLE_TRANSLATE_API_KEY: { group: 'services', title: 'Google Translate key', help: KEY },
  MICROSOFT_API_KEY: { group: 'services', title: 'Microsoft Translator key', help: KEY },
  MICROSOFT_REGION: {
    group: 'services',
    title: 'Microsoft Translator region',
    help: 'The region of the key, for example westeurope.',
  },
  MYMEMORY_EMAIL: {
    group: 'services',
    title: 'MyMemory e-mail address',
    help: 'Raises the daily limit of this service, which receives the address.',
  },
}

/** A variable that was set in the running studio; '' when it is not set. Proxies and keys contain passwords. */
export const variableSetting = (name: string): Setting<string> =>
  setting({
    key: `env.${name}`,
    access: 'own',
    ...(CONTROLS[name] !== undefined && { controls: CONTROLS[name] }),
    schema: z.string().max(VALUE_CHARS),
    fallback: '',
    summary: `The variable ${name}, as set in the running studio.`,
    changedBy: 'Set this variable with POST /system/set-env, which checks its value.',
    secret: true,
  })

/** New versions of the program. They are here because the start of a studio loads this module anyway. */
export const updateSettings = {
  looksForUpdates: setting({
    key: 'updates.check',
    access: 'admin',
    controls: {
      group: 'updates',
      title: 'Look for new versions',
      help: 'Asks the public package registry once a day. Nothing about you or this studio is sent.',
    },
    schema: z.boolean(),
    fallback: false,
    summary: 'Whether the studio asks the package registry once a day for the newest version. Before the first release it asks nothing.',
  }),
  lastLook: setting({
    key: 'updates.last',
    access: 'admin',
    schema: z.strictObject({ at: z.number().min(0), newest: z.string().max(64).nullable(), isFailed: z.boolean() }),
    fallback: { at: 0, newest: null, isFailed: false },
    summary: 'When the studio last looked for a new version, in epoch milliseconds, and the newest one that it ever found.',
    changedBy: 'The studio writes this value when it looks for a new version.',
  }),
}

export const environmentSettings = Object.fromEntries(STORED.map((name) => [name, variableSetting(name)]))
