// Names and versions of this program.
/** Version of the program and of the API description that it serves. */
export const VERSION = '0.6.0'
/** Name of the command in every text for users. The file names.ts has it for the pages. A package has a name of its own. */
export const COMMAND = './studio'
/** Name of the command of lenders, in texts about the machine that shows them. The package for lenders has a name of its own. */
export const AGENT_COMMAND = './studio agent'
/** The User-Agent of the commands. */
export const COMMANDS_AGENT = 'voice-studio-commands'
/** False until a release has published the packages. Before that the names belong to no one, so no text may tell a person to install them. */
export const PUBLISHED = false
export const PACKAGES = {
  /** The whole program. */
  studio: 'voice-studio',
  /** The program of lenders: the agent and its commands. */
  agent: 'voice-studio-agent',
  /** The start of the names of the native parts, one package for each kind of machine: `@voice-studio/native-linux-x64`. */
  native: '@voice-studio/native',
} as const
/** The package registry that a studio asks for new versions, once its packages are published and its owner has allowed it. */
export const REGISTRY = 'https://registry.npmjs.org'
/** Address of a folder for each release, which has the digests of its packages and their signature; null until there is one. */
export const RELEASE_FILES: string | null = null
/** Public Ed25519 key in PEM that signs releases; null until there is one. Without it no package is taken from the registry. */
export const RELEASE_KEY: string | null = null
/** Address of the container image of lenders; null until a release has put it into a registry. */
export const AGENT_IMAGE: string | null = null
/** Version of the native packages. It rises when one of their binaries changes (tools/release/natives.ts). */
export const NATIVE_VERSION = '1.30.0'
/** Address of the public repository for the manifests; null until there is one. */
export const REPOSITORY: string | null = null

const RELEASE = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([0-9A-Za-z.]{1,40}))?$/

export const isRelease = (text: string): boolean => RELEASE.test(text)

/** True if `version` is later than `other`. A version with a suffix comes before the one without. */
export const isNewer = (version: string, other: string): boolean => newerFirst(version, other) < 0

export function newerFirst(a: string, b: string): number {
  const [one, two] = [numbersOf(a), numbersOf(b)]
  for (const at of [0, 1, 2] as const) if (one.numbers[at] !== two.numbers[at]) return two.numbers[at] - one.numbers[at]
  if (one.suffix === two.suffix) return 0
  if (one.suffix === '' || two.suffix === '') return one.suffix === '' ? -1 : 1
  return one.suffix < two.suffix ? 1 : -1
}

function numbersOf(version: string) {
  const [, major, minor, patch, suffix = ''] = RELEASE.exec(version) ?? []
  return { numbers: [Number(major), Number(minor), Number(patch)] as const, suffix }
}
