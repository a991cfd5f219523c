// The machine and the user that a service is for, as values: a test can name any system.
import { posix, win32 } from 'node:path'

export type ServedProgram = 'studio' | 'agent'

export type ServicePlace = {
  readonly platform: NodeJS.Platform
  /** Home folder of the user. */
  readonly home: string
  /** Folder of the user's configuration, such as `~/.config`. */
  readonly configHome: string
  readonly user: string
  readonly uid: number
  /** The data folder of the program. */
  readonly dataDir: string
  /** The checkout, or the folder of the package that runs now. */
  readonly root: string
  readonly isCheckout: boolean
  /** Absolute path of the Node that runs this command. */
  readonly node: string
  /** The folders in which programs such as ffmpeg are searched, joined as in PATH. */
  readonly path: string
}

/** Rules for the paths of a system. */
export const pathsOf = (platform: NodeJS.Platform): typeof posix => (platform === 'win32' ? win32 : posix)

/**
 * PATH for a service: the folder of Node, then the absolute folders of this terminal. Those of one run of npx are left out, because npm deletes
 * them, and those with a character that would end a value in a definition.
 */
export function servicePath({ platform, node, path }: Pick<ServicePlace, 'platform' | 'node' | 'path'>): string {
  const { delimiter, dirname, isAbsolute } = pathsOf(platform)
  const lasting = path.split(delimiter).filter((folder) => isAbsolute(folder) && !/node_modules|node-gyp-bin|[\x00-\x1f\x7f"]/.test(folder))
  return [...new Set([dirname(node), ...lasting])].join(delimiter)
}
