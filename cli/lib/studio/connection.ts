// The studio that a command reaches: from --host, --key-file and --profile, the environment, or the profile that the configuration file chooses.
import { resolve } from 'node:path'
import { Misuse, type Terminal } from '../command.ts'
import { readPrivateText } from './private-text.ts'
import { readProfile, type StudioProfile } from './profiles.ts'

export type ConnectionOptions = {
  readonly host?: string | undefined
  readonly keyFile?: string | undefined
  readonly profile?: string | undefined
}
/** Bytes of a file with a key. */
const KEY_BYTES = 8 * 1024
/** Commands of this machine: they start a program, or read the files of one. */
const LOCAL: ReadonlySet<string> = new Set([
  ...[
    'start',
    'agent',
    'service',
    'uninstall',
    'update',
    'rollback',
    'stop',
    'finish',
    'gpu',
    'setup',
    'backup',
    'restore',
    'audit',
    'key',
    'doctor',
  ],
  ...['completion', 'man', '--help', '--version'],
])

/**
 * The terminal for a command with its studio. The key of a profile goes to the host of that profile only, and STUDIO_API_KEY to no profile that was
 * named. Throws a Misuse.
 */
export function connectedTerminal(name: string, options: ConnectionOptions, terminal: Terminal): Terminal {
  const { host, keyFile, profile: wanted } = options
  if (LOCAL.has(name)) {
    const [flag] = [host !== undefined && '--host', keyFile !== undefined && '--key-file', wanted !== undefined && '--profile'].filter(
      Boolean,
    )
    if (flag) throw new Misuse(`${name} is a command of this machine and takes no ${flag}.`)
    return terminal
  }
  const { env, cwd } = terminal
  const isChosen = env['STUDIO_HOST'] !== undefined || env['STUDIO_PORT'] !== undefined
  const profile = readProfile(env, wanted)
  const mayUseProfile = host === undefined && (wanted !== undefined || !isChosen)
  const address = host ?? (mayUseProfile ? profile?.host : undefined)
  const keyPath = keyFile === undefined ? (mayUseProfile ? profile?.key_file : undefined) : resolve(cwd, keyFile)
  const withoutKey = wanted !== undefined && host === undefined && profile?.host !== undefined
  return {
    ...terminal,
    env: {
      ...env,
      ...(address !== undefined && addressIn(address)),
      ...(withoutKey && { STUDIO_API_KEY: undefined }),
      ...(keyPath !== undefined && { STUDIO_API_KEY: keyIn(keyPath) }),
    },
    defaults: defaultsOf(profile),
  }
}

const defaultsOf = (profile: StudioProfile | null) => ({ voice: profile?.voice, language: profile?.language })

function addressIn(address: string): { readonly STUDIO_HOST: string; readonly STUDIO_PORT: string | undefined } {
  if (address.includes('://')) return { STUDIO_HOST: address, STUDIO_PORT: undefined }
  const [, host, port = '3900'] = /^(\[[0-9a-fA-F:.]{2,45}\]|[^:/\s]{1,255})(?::(\d{1,5}))?$/.exec(address) ?? []
  if (host === undefined)
    throw new Misuse(`'${address.slice(0, 200)}' is no host. Write a name, NAME:PORT, or a URL such as https://studio.example.`)
  return { STUDIO_HOST: host.replace(/^\[(.*)\]$/, '$1'), STUDIO_PORT: port }
}

function keyIn(path: string): string {
  const text = readPrivateText(path, { title: 'The key file', maxBytes: KEY_BYTES, isSecret: true })
  if (text === null) throw new Misuse(`There is no key file ${path}.`)
  const key = text.trim()
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Misuse(`The key file ${path} must contain one key, and nothing else.`)
  return key
}
