// Options of every command, which may stand anywhere before `--`.
import { Writable } from 'node:stream'
import { Misuse, type Terminal } from '../command.ts'
import type { ConnectionOptions } from '../studio/connection.ts'

export const GLOBAL_OPTIONS: readonly (readonly [flag: string, meaning: string])[] = [
  ['--json', 'Print one JSON document, also for a failure'],
  ['--quiet', 'Show no progress and no notices'],
  ['--host ADDRESS', 'The studio: a name, NAME:PORT or https://…'],
  ['--key-file FILE', 'File with the API key of that studio'],
  ['--profile NAME', 'A profile of the configuration file'],
]
const VALUES = { '--host': 'host', '--key-file': 'keyFile', '--profile': 'profile' } as const
const FLAGS = { '--json': 'json', '--quiet': 'quiet' } as const

type GlobalOptions = {
  /** The words without these options. */
  readonly words: readonly string[]
  readonly json: boolean
  readonly quiet: boolean
  readonly connection: ConnectionOptions
}

function globalOptions(all: readonly string[]): GlobalOptions {
  const found = { json: false, quiet: false }
  const connection: { -readonly [K in keyof ConnectionOptions]: ConnectionOptions[K] } = {}
  const words: string[] = []
  for (let at = 0; at < all.length; at++) {
    const word = all[at]!
    if (word === '--') return { ...found, connection, words: [...words, ...all.slice(at)] }
    const [flag = '', value] = word.split(/=(.*)/s, 2)
    if (Object.hasOwn(VALUES, flag)) {
      const given = value ?? all[++at]
      if (given === undefined || given === '' || (value === undefined && given.startsWith('-')))
        throw new Misuse(`The option ${flag} needs a value.`)
      connection[VALUES[flag as keyof typeof VALUES]] = given
      continue
    }
    if (!Object.hasOwn(FLAGS, flag)) {
      words.push(word)
      continue
    }
    if (value !== undefined) throw new Misuse(`The option ${flag} takes no value.`)
    found[FLAGS[flag as keyof typeof FLAGS]] = true
  }
  return { ...found, connection, words }
}

/** The options of a command line. `misuse`: the error of an invalid one, which the command throws in its place. */
export function readGlobals(words: readonly string[]): GlobalOptions & { readonly misuse: Error | null } {
  try {
    return { ...globalOptions(words), misuse: null }
  } catch (error) {
    return { words, json: words.includes('--json'), quiet: false, connection: {}, misuse: error as Error }
  }
}

/** The arguments for a command that prints a value by itself. */
export function withJson(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  return end === -1 ? [...args, '--json'] : [...args.slice(0, end), '--json', ...args.slice(end)]
}

/** The terminal without progress and notices. */
export function quietTerminal(terminal: Terminal): Terminal {
  const errors = new Writable({ write: (_piece, _encoding, done) => done() })
  return { ...terminal, errors, alerts: terminal.alerts ?? terminal.errors }
}
