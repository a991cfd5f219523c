import { z } from 'zod'
import { type Setting, setting } from '#control-plane/store/setting.ts'
import { STORED, VALUE_CHARS } from './environment.rules.ts'

/** Labels of the variables that the page of the settings shows. */
const TITLES: Readonly<Record<string, string>> = {
  HTTPS_PROXY: 'Proxy for https',
  HTTP_PROXY: 'Proxy for http',
  ALL_PROXY: 'Proxy for everything else',
  VOICESTUDIO_PORT: 'Port of the studio',
  VOICESTUDIO_SHARE_PORT: 'Port for other devices',
  DEEPL_API_KEY: 'DeepL key',
  GOOGLE_TRANSLATE_API_KEY: 'Google Translate key',
  MICROSOFT_API_KEY: 'Microsoft Translator key',
  MICROSOFT_REGION: 'Microsoft Translator region',
  MYMEMORY_EMAIL: 'MyMemory e-mail address',
}

/** A variable that was set in the running studio; '' when it is not set. Proxies and keys contain passwords. */
export const variableSetting = (name: string): Setting<string> =>
  setting({
    key: `env.${name}`,
    ...(TITLES[name] !== undefined && { title: TITLES[name] }),
    schema: z.string().max(VALUE_CHARS),
    fallback: '',
    summary: `The variable ${name}, as set in the running studio.`,
    changedBy: 'Set this variable with POST /system/set-env, which checks its value.',
    secret: true,
  })

export const environmentSettings = Object.fromEntries(STORED.map((name) => [name, variableSetting(name)]))
