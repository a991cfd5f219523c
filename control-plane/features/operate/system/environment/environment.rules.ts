// The variables that POST /system/set-env accepts. Pure.
import { Failure } from '#shared/protocol/failure.ts'
import { TRANSLATION_SERVICES } from '#shared/translators.ts'

const bothCases = (name: string): string[] => [name, name.toLowerCase()]
export const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap(bothCases)
const PORTS = ['VOICESTUDIO_PORT', 'VOICESTUDIO_SHARE_PORT', 'VOICESTUDIO_UI_PORT']
const TRANSLATION = [
  'TRANSLATE_PROVIDER',
  'TRANSLATE_BASE_URL',
  'TRANSLATE_API_KEY',
  'TRANSLATE_MODEL',
  ...Object.values(TRANSLATION_SERVICES).flatMap((variables) => Object.values(variables)),
]
/** The names of this studio for variables that its clients know by other names. */
const OWN_NAMES: ReadonlyMap<string, string> = new Map(PORTS.map((name) => [name.replace(/^VOICE/, ''), name]))
/** The stored variable that a name stands for. */
export const storedName = (name: string): string => OWN_NAMES.get(name) ?? name
/** Stored with the settings of the model hub. */
export const HUB_TOKEN = 'HF_TOKEN'
/** The variables that are stored here. */
export const STORED = [...PROXIES, ...TRANSLATION, ...PORTS]
export const ALLOWED = [...STORED, HUB_TOKEN]

/** True for the address of a server that keys are entered for. */
export const isAddress = (name: string): boolean => name.endsWith('_BASE_URL')

export const VALUE_CHARS = 2_048

/** The value without blanks at its ends; '' clears the variable. Throws BAD_REQUEST. The message never repeats a value. */
export function checkedValue(key: string, text: string): string {
  const value = text.trim()
  if (!ALLOWED.includes(key))
    throw new Failure('BAD_REQUEST', `This variable cannot be set. Use one of ${[...ALLOWED, ...OWN_NAMES.keys()].join(', ')}.`)
  if (value === '') return ''
  if (value.length > VALUE_CHARS || /[\p{Cc}]/u.test(value))
    throw new Failure('BAD_REQUEST', `${key} must have at most ${VALUE_CHARS} characters and no control characters.`)
  if (PORTS.includes(key)) return checkedPort(key, value)
  if ((PROXIES.includes(key) || isAddress(key)) && !['http:', 'https:'].includes(URL.parse(value)?.protocol ?? ''))
    throw new Failure('BAD_REQUEST', `${key} must be an http or https address, such as http://proxy.example:3128.`)
  return value
}

/** True if two addresses have the same scheme, host and port; '' stands for the usual server of a service. */
export const isSameServer = (one: string, other: string): boolean => (URL.parse(one)?.origin ?? '') === (URL.parse(other)?.origin ?? '')

function checkedPort(key: string, value: string): string {
  const port = Number(value)
  if (!/^\d{4,5}$/.test(value) || port < 1024 || port > 65_535)
    throw new Failure('BAD_REQUEST', `${key} must be a port from 1024 to 65535.`)
  return value
}
