// Reads the settings from the environment, once. Reports all problems together; an unknown name is one.

import { z } from 'zod'
import { Failure } from './failure.ts'
import { cleanLine } from './fields/clean-text.ts'
import { COMMAND } from './version.ts'

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .refine((value) => value <= 65_535, 'must be at most 65535')
const host = z.string().regex(/^[A-Za-z0-9.:_-]{1,253}$/, 'must be a host name or an address')
const FLAG = ['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off', ''] as const
const flag = z.enum(FLAG, 'must be 1 or 0')
/** Comma-separated entries in lower case; empty for none. */
const list = (entry: RegExp, problem: string) =>
  z
    .string()
    .max(4096)
    .default('')
    .transform((text) =>
      text
        .toLowerCase()
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    )
    .refine((entries) => entries.every((one) => entry.test(one)), problem)
/** One line for people. */
const line = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => text.trim() !== '' && cleanLine(text) === text, 'must be one line of plain text')
/** Repositories as owner/name, separated by commas; the names keep their case. */
const repositories = z
  .string()
  .max(4096)
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  )
  .refine(
    (names) => names.length <= 32 && names.every((name) => /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/.test(name)),
    'must be at most 32 repositories such as owner/name, separated by commas',
  )
const engine = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be the id of an engine')
  .optional()
const DRIVE_OR_SERVER = /^(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/])/
/** True for a whole path: on Windows with its drive or server, such as C:\\voice. */
export const isWholePath = (text: string, platform: string = process.platform): boolean =>
  (platform === 'win32' ? DRIVE_OR_SERVER.test(text) : text.startsWith('/')) && !text.includes('\0')
const absolute = (text: string) => isWholePath(text)

/** Variables that override a setting of the owner. Both programs accept them; the studio declares the setting with `env`. */
const OVERRIDES = {
  STUDIO_TTS_BACKEND: engine,
  STUDIO_ASR_BACKEND: engine,
  STUDIO_LLM_BACKEND: engine,
  STUDIO_COMPUTE_DEVICE: z.enum(['auto', 'cuda', 'rocm', 'xpu', 'mps', 'cpu']).optional(),
  STUDIO_MODELS_DIR: z.string().max(4096).refine(absolute, 'must be an absolute path').optional(),
  // Written like the stored values of the setting.
  STUDIO_MCP_ENABLED: flag.transform((value) => (value === '' ? undefined : String(isOn(value)))).optional(),
}
export type Overrides = { readonly [Name in keyof typeof OVERRIDES]?: string | undefined }

/** The way out of a weak or missing key. */
export const CREATE_KEY = `Create one with ${COMMAND} key create.`
/** Exit status of a program whose settings are invalid: to start it again cannot help. EX_CONFIG of sysexits. */
export const INVALID_SETTINGS = 78

/** Least number of different characters in a key. In 1 of 30,000 random keys of 16 hexadecimal digits there are fewer. */
const MIN_CHARACTERS = 6
/** Repetitions of a shorter text, and keys of few different characters. Their length says nothing about the guesses that they need. */
function isGuessable(key: string): boolean {
  const isRepeated = `${key}${key}`.indexOf(key, 1) < key.length
  return isRepeated || new Set(key).size < MIN_CHARACTERS
}

const IPV4 = z.ipv4()
const IPV6 = z.ipv6()
function isNetwork(text: string): boolean {
  const [address = '', prefix = ''] = text.split('/')
  const bits = IPV4.safeParse(address).success ? 32 : IPV6.safeParse(address).success ? 128 : 0
  return Number(prefix) >= 1 && Number(prefix) <= bits
}
const networks = list(/^[0-9a-f.:]{2,45}\/\d{1,3}$/, 'must be networks such as 192.168.1.0/24 or fd00::/8, separated by commas').refine(
  (all) => all.every(isNetwork),
  'must be networks such as 192.168.1.0/24; a network of all addresses is not allowed',
)

const Settings = z.strictObject({
  STUDIO_DATA_DIR: z.string().refine(absolute, 'must be an absolute path').optional(),
  STUDIO_HOST: host.default('127.0.0.1'),
  STUDIO_PORT: port.default(3900),
  STUDIO_WORKER_BIND: host.default('0.0.0.0'),
  STUDIO_WORKER_PORT: port.default(7443),
  STUDIO_WORKER_ENDPOINT_HOST: host.optional(),
  STUDIO_API_KEY: z
    .string()
    .min(16, 'must have at least 16 characters')
    .max(512)
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks')
    .refine((key) => !isGuessable(key), `is easy to guess. ${CREATE_KEY}`)
    .refine((key) => !key.startsWith('svc_'), 'must not begin with svc_, as the tokens of the studio do')
    .optional(),
  STUDIO_SERVER_MODE: flag.default('0'),
  STUDIO_BASE_PATH: z
    .string()
    .regex(/^(?:\/[A-Za-z0-9_-]{1,63}){0,4}$/, 'must be a path such as /voice, without a slash at the end')
    .default(''),
  STUDIO_ALLOWED_HOSTS: list(/^[a-z0-9._-]{1,253}$/, 'must be host names without ports, separated by commas'),
  STUDIO_ALLOWED_ORIGINS: list(
    /^[a-z][a-z0-9+.-]{0,31}:\/\/[a-z0-9.:[\]_-]{1,260}$/,
    'must be origins such as https://studio.example, separated by commas',
  ),
  STUDIO_TRUSTED_NETWORKS: networks,
  STUDIO_WYOMING_PORT: port.optional(),
  STUDIO_WYOMING_HOST: host.default('127.0.0.1'),
  STUDIO_WYOMING_NETWORKS: networks,
  STUDIO_ROLE: z.enum(['studio', 'pool'], 'must be studio or pool').default('studio'),
  STUDIO_POOL_NAME: line(80).default('Pool'),
  STUDIO_POOL_OPERATOR: line(120).optional(),
  STUDIO_POOL_CONTACT: line(200).default(''),
  STUDIO_POOL_PLACES: line(1_000)
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    )
    .refine((places) => places.length <= 64, 'must be at most 64 places, separated by commas'),
  STUDIO_POOL_READS_INPUTS: flag.default('1'),
  STUDIO_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent').default('info'),
  STUDIO_LOG_FORMAT: z.enum(['json', 'text'], 'must be json or text').optional(),
  STUDIO_DEVELOPMENT: flag.default('0'),
  STUDIO_INSPECT: z.enum(['hosts'], 'must be hosts').optional(),
  STUDIO_WORKER_MODE: flag.default(''),
  STUDIO_INBOUND_NODE: flag.default(''),
  STUDIO_INBOUND_BIND: host.optional(),
  STUDIO_INBOUND_PORT: port.optional(),
  ...OVERRIDES,
  STUDIO_TRACE_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .max(2048)
    .refine((text) => !/^https?:\/\/[^/]*@/.test(text), 'must not contain a password')
    .optional(),
  STUDIO_MODELS_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .max(2048)
    .refine((text) => !/^https?:\/\/[^/]*@/.test(text), 'must not contain a password')
    .default('https://huggingface.co'),
  STUDIO_MEDIA_TOOLS_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .max(2048)
    .refine((text) => !/^https?:\/\/[^/]*@/.test(text), 'must not contain a password')
    .default('https://github.com'),
  STUDIO_PREVIEWS_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .max(2048)
    .refine((text) => !/^https?:\/\/[^/]*@/.test(text), 'must not contain a password')
    .optional(),
  STUDIO_PREVIEWS_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be the 32 bytes of an Ed25519 key in base64')
    .optional(),
  STUDIO_COMMUNITY_SOURCES: repositories,
  STUDIO_MODELS_TOKEN: z
    .string()
    .max(512)
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks')
    .optional(),
  STUDIO_MODELS_CACHE: z
    .string()
    .refine((text) => text === '' || absolute(text), 'must be an absolute path')
    .optional(),
  STUDIO_TRACE_FILE: z.string().refine(absolute, 'must be an absolute path').optional(),
})
const TRUE = ['1', 'true', 'yes', 'on']
const START_SCRIPT_SETTINGS = ['STUDIO_NODE']

export type PoolSettings = {
  readonly name: string
  /** Person or organisation that runs it. */
  readonly operator: string
  /** For questions; empty for none. */
  readonly contact: string
  /** Countries or sites of its machines. */
  readonly places: readonly string[]
  /** The operator can read texts and recordings while they are worked on. */
  readonly readsInputs: boolean
}
export type Settings = {
  readonly dataDir: string
  /** The declaration of a pool, whose machines work for studios; null for a studio. */
  readonly pool: PoolSettings | null
  readonly host: string
  readonly port: number
  /** True if the environment names the port; otherwise the owner may have chosen another one. */
  readonly isPortSet: boolean
  /** Address of the port for agents of other machines. */
  readonly workerBind: string
  readonly workerPort: number
  readonly workerEndpointHost: string | null
  readonly apiKey: string | null
  /** The key gives the right to administer from other machines. */
  readonly serverMode: boolean
  /** The path that the studio is served under, such as /voice; empty for the root. */
  readonly basePath: string
  /** Further names in a Host header. */
  readonly allowedHosts: readonly string[]
  /** Origins of web clients that are served elsewhere and may administer. */
  readonly allowedOrigins: readonly string[]
  /** Networks whose addresses may use the studio without a credential, such as 192.168.1.0/24. */
  readonly trustedNetworks: readonly string[]
  /** The port for clients of the Wyoming protocol, and the networks whose addresses it serves beside this machine; null: it is not opened. */
  readonly wyoming: { readonly host: string; readonly port: number; readonly networks: readonly string[] } | null
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** null: text on a terminal, otherwise JSON. */
  readonly logFormat: 'json' | 'text' | null
  /** Collector for spans (OTLP over HTTP), or null. */
  readonly traceEndpoint: string | null
  /** File that spans are appended to, or null. */
  readonly traceFile: string | null
  readonly development: boolean
  /** Engine hosts accept an inspector. Only in development, because an inspector runs code as this user. */
  readonly inspectHosts: boolean
  /** Server of the models, with the layout of the Hugging Face hub. */
  readonly modelsUrl: string
  /** Server of the builds of ffmpeg, ffprobe and yt-dlp. */
  readonly mediaToolsUrl: string
  /** The signed list of previews of archetypes, and the Ed25519 key of its publisher in base64; null without a publisher. */
  readonly previewsUrl: string | null
  readonly previewsKey: string | null
  /** Repositories of community voices; empty: those of gallery_sources.json in the data folder. */
  readonly communitySources: readonly string[]
  /** Sent to the server of the models only. */
  readonly modelsToken: string | null
  /** A cache of other programs in the layout of that hub, or null. */
  readonly modelsCache: string | null
  /** Values of the environment that replace the owner's choices, by variable. */
  readonly overrides: Overrides
  /** True if this machine lends, and whether it listens for controllers; null leaves the choice to the owner. */
  readonly workerMode: boolean | null
  readonly inboundNode: boolean | null
  readonly inboundBind: string | null
  readonly inboundPort: number | null
}

/**
 * Port 0 lets the system choose. `objections`: further problems that the calling program found, one line each. Throws BAD_REQUEST with one
 * line per problem. The message never repeats a value, which may be a secret.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>, objections: readonly string[] = []): Settings {
  const named = Object.entries(env).filter(([name]) => name.startsWith('STUDIO_') && !START_SCRIPT_SETTINGS.includes(name))
  const parsed = Settings.safeParse(Object.fromEntries(named.filter(([, value]) => value !== undefined)))
  const dataDir = env['STUDIO_DATA_DIR'] ?? usualFolder(env)
  const problems = [
    ...(parsed.error?.issues ?? []).flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => `${key}: there is no such setting`)
        : [`${issue.path.join('.')}: ${issue.message}`],
    ),
    ...lacksOfPool(parsed.data),
    ...(lacksDevelopment(parsed.data) ? ['STUDIO_INSPECT: needs STUDIO_DEVELOPMENT=1'] : []),
    ...(dataDir === null
      ? [`STUDIO_DATA_DIR: must be set, there is no ${process.platform === 'win32' ? 'LOCALAPPDATA' : 'HOME'} to derive it from`]
      : []),
    ...objections,
  ]
  if (!parsed.success || dataDir === null || problems.length > 0)
    throw new Failure(
      'BAD_REQUEST',
      ['The settings are invalid. Correct these environment variables; README.md lists all settings.', ...problems].join('\n  '),
    )
  const value = parsed.data
  return {
    dataDir,
    pool:
      value.STUDIO_ROLE === 'pool'
        ? {
            name: value.STUDIO_POOL_NAME,
            operator: value.STUDIO_POOL_OPERATOR!,
            contact: value.STUDIO_POOL_CONTACT,
            places: value.STUDIO_POOL_PLACES,
            readsInputs: isOn(value.STUDIO_POOL_READS_INPUTS),
          }
        : null,
    host: value.STUDIO_HOST,
    port: value.STUDIO_PORT,
    isPortSet: env['STUDIO_PORT'] !== undefined,
    workerBind: value.STUDIO_WORKER_BIND,
    workerPort: value.STUDIO_WORKER_PORT,
    workerEndpointHost: value.STUDIO_WORKER_ENDPOINT_HOST ?? null,
    apiKey: value.STUDIO_API_KEY ?? null,
    serverMode: isOn(value.STUDIO_SERVER_MODE),
    basePath: value.STUDIO_BASE_PATH,
    allowedHosts: value.STUDIO_ALLOWED_HOSTS,
    allowedOrigins: value.STUDIO_ALLOWED_ORIGINS,
    trustedNetworks: value.STUDIO_TRUSTED_NETWORKS,
    wyoming:
      value.STUDIO_WYOMING_PORT === undefined
        ? null
        : { host: value.STUDIO_WYOMING_HOST, port: value.STUDIO_WYOMING_PORT, networks: value.STUDIO_WYOMING_NETWORKS },
    logLevel: value.STUDIO_LOG_LEVEL,
    logFormat: value.STUDIO_LOG_FORMAT ?? null,
    traceEndpoint: value.STUDIO_TRACE_ENDPOINT ?? null,
    traceFile: value.STUDIO_TRACE_FILE ?? null,
    overrides: z.object(OVERRIDES).parse(value),
    development: isOn(value.STUDIO_DEVELOPMENT),
    inspectHosts: value.STUDIO_INSPECT === 'hosts',
    mediaToolsUrl: value.STUDIO_MEDIA_TOOLS_URL,
    previewsUrl: value.STUDIO_PREVIEWS_URL ?? null,
    previewsKey: value.STUDIO_PREVIEWS_KEY ?? null,
    communitySources: value.STUDIO_COMMUNITY_SOURCES,
    modelsUrl: value.STUDIO_MODELS_URL,
    modelsToken: value.STUDIO_MODELS_TOKEN ?? null,
    modelsCache: value.STUDIO_MODELS_CACHE === undefined ? defaultCache(env) : value.STUDIO_MODELS_CACHE || null,
    workerMode: switched(value.STUDIO_WORKER_MODE),
    inboundNode: switched(value.STUDIO_INBOUND_NODE),
    inboundBind: value.STUDIO_INBOUND_BIND ?? null,
    inboundPort: value.STUDIO_INBOUND_PORT ?? null,
  }
}

/** Missing facts that a person who approves a pool has to know. */
const lacksOfPool = (value: z.output<typeof Settings> | undefined): string[] =>
  value?.STUDIO_ROLE !== 'pool'
    ? []
    : [
        ...(value.STUDIO_POOL_OPERATOR === undefined
          ? ['STUDIO_POOL_OPERATOR: a pool must name the person or organisation that runs it']
          : []),
        ...(value.STUDIO_POOL_PLACES.length === 0 ? ['STUDIO_POOL_PLACES: a pool must name the countries or sites of its machines'] : []),
      ]

/** True for an inspector without development. */
const lacksDevelopment = (value: z.output<typeof Settings> | undefined): boolean =>
  value?.STUDIO_INSPECT !== undefined && !isOn(value.STUDIO_DEVELOPMENT)

/** True if the text of a flag turns it on. */
export const isOn = (value: string): boolean => TRUE.includes(value)
const switched = (value: string): boolean | null => (value === '' ? null : isOn(value))

type Env = Readonly<Record<string, string | undefined>>
/** The home of the user; null without one. */
export function homeFolder({ HOME: home, USERPROFILE: profile }: Env, platform: string = process.platform): string | null {
  const named = platform === 'win32' ? profile : home
  return named && isWholePath(named, platform) ? named : null
}

/** The cache folder of the hub's own programs. */
export function defaultCache(env: Env, platform: string = process.platform): string | null {
  const { HF_HUB_CACHE: hub, HF_HOME: hf } = env
  if (hub && isWholePath(hub, platform)) return hub
  if (hf && isWholePath(hf, platform)) return `${hf}/hub`
  const home = homeFolder(env, platform)
  return home && `${home}/.cache/huggingface/hub`
}

/** The folder of the system for data of the user's programs, or null when there is nothing to derive it from. macOS uses that of Linux. */
export function usualFolder(env: Env, platform: string = process.platform): string | null {
  const { XDG_DATA_HOME: xdg, LOCALAPPDATA: local } = env
  if (platform === 'win32') return local && isWholePath(local, platform) ? `${local}\\voice-studio` : null
  if (xdg && isWholePath(xdg, platform)) return `${xdg}/voice-studio`
  const home = homeFolder(env, platform)
  return home && `${home}/.local/share/voice-studio`
}
