// The configuration file of the commands: profiles with the studio that they reach and the choices that they make.
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { type Environment, Misuse } from '../command.ts'
import { guess } from '../nearest.ts'
import { readPrivateText } from './private-text.ts'

const MAX_BYTES = 64 * 1024
const ProfileName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'is not a name of letters, digits, dots and hyphens')
const Profile = z.strictObject({
  /** A name, an address, or a URL. */
  host: z.string().min(1).max(2_048).optional(),
  /** Relative to the folder of the configuration file. */
  key_file: z.string().min(1).max(4_096).optional(),
  voice: z.string().min(1).max(1_000).optional(),
  language: z.string().min(1).max(64).optional(),
})
const Configuration = z.strictObject({
  /** The profile without --profile. */
  profile: ProfileName.optional(),
  profiles: z.record(ProfileName, Profile).default({}),
})
export type StudioProfile = z.output<typeof Profile>

export const configurationPath = (env: Environment): string =>
  join(env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? '', '.config'), 'voice-studio', 'config.json')

/** The profile of that name, or the one that the file chooses; null without any. Throws a Misuse that names the line or the field. */
export function readProfile(env: Environment, name: string | undefined): StudioProfile | null {
  const path = configurationPath(env)
  const text = readPrivateText(path, { title: 'The configuration file', maxBytes: MAX_BYTES, isSecret: false })
  if (text === null) {
    if (name === undefined) return null
    throw new Misuse(`There is no profile ${name}, because there is no file ${path}.`)
  }
  const { profile: usual, profiles } = parsed(path, text)
  const wanted = name ?? usual
  if (wanted === undefined) return null
  if (!Object.hasOwn(profiles, wanted))
    throw new Misuse(`There is no profile '${wanted}' in ${path}.${guess(wanted, Object.keys(profiles))}`)
  const profile = profiles[wanted]!
  return { ...profile, ...(profile.key_file !== undefined && { key_file: fromHome(profile.key_file, dirname(path), env) }) }
}

const fromHome = (path: string, folder: string, env: Environment): string =>
  path.startsWith('~/') ? join(env['HOME'] ?? '', path.slice(2)) : resolve(folder, path)

function parsed(path: string, text: string): z.output<typeof Configuration> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const [, at] = /position (\d+)/.exec((error as Error).message) ?? []
    const line = at === undefined ? text.split('\n').length : text.slice(0, Number(at)).split('\n').length
    throw new Misuse(`${path} is not JSON: see line ${line}.`)
  }
  const { data, error } = Configuration.safeParse(value)
  if (data) return data
  const [issue] = error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const field = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].map(String).join('.')
  const known =
    unknown === undefined ? '' : guess(unknown, issue?.path.length ? Object.keys(Profile.shape) : Object.keys(Configuration.shape))
  const reason = unknown === undefined ? `is invalid: ${issue?.message ?? ''}.` : `is not known.${known}`
  throw new Misuse(`${path}: ${field === '' ? 'the file' : field.slice(0, 200)} ${reason}`)
}
