// Definition of a service: its name, the words that start it, and its environment. The formats of the systems are in the other files of this folder.
import { Failure } from '#shared/protocol/failure.ts'
import { AGENT_COMMAND, COMMAND, PACKAGES } from '#shared/protocol/version.ts'
import { pathsOf, type ServedProgram, type ServicePlace, servicePath } from './place.ts'
import { programStart } from './start-path.ts'

export type UserService = {
  /** Name of the unit, the task or, with a prefix, the agent of launchd. */
  readonly name: string
  readonly title: string
  /** Absolute path of a program, and its arguments. They contain no secret: every user of the machine can read them. */
  readonly words: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  /** Further settings, one NAME=VALUE a line; only its owner may read it. */
  readonly settingsFile: string
}

/** The sentence in every definition that this program has written. */
export const SERVICE_MARK = 'Written by service install of Voice Studio.'

/** Flags of Node where no script sets them: those of `./studio`, which gives their reasons. */
export const NODE_FLAGS = ['--max-semi-space-size=8']

/** Throws BAD_REQUEST for a path that no definition can hold. */
export function serviceOf(program: ServedProgram, place: ServicePlace): UserService {
  const { platform, dataDir, root, node } = place
  for (const path of [dataDir, root, node])
    if (/[\x00-\x1f\x7f"]/.test(path)) throw new Failure('BAD_REQUEST', `A service cannot be written for the path ${JSON.stringify(path)}.`)
  const path = pathsOf(platform)
  return {
    name: PACKAGES[program],
    title: program === 'studio' ? 'Voice Studio' : 'Voice Studio lending agent',
    words: startWords(program, place),
    variables: { STUDIO_DATA_DIR: dataDir, PATH: servicePath(place) },
    settingsFile: path.join(dataDir, 'service', `${program}.env`),
  }
}

function startWords(program: ServedProgram, place: ServicePlace): readonly string[] {
  const { platform, root, isCheckout, node } = place
  const path = pathsOf(platform)
  const [typed = '', ...verb] = program === 'studio' ? [COMMAND, 'start'] : AGENT_COMMAND.split(' ')
  const command = path.basename(typed)
  if (!isCheckout) {
    const start = programStart(place, command)
    return [node, start, ...(platform === 'win32' ? [command] : []), ...verb]
  }
  return platform === 'win32' ? [node, ...NODE_FLAGS, path.join(root, 'cli', 'main.ts'), ...verb] : [path.join(root, 'studio'), ...verb]
}
