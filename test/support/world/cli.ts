// Runs commands of ./studio in child processes.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

export const REPOSITORY = join(import.meta.dirname, '../../..')

export type Ended = { readonly code: number | null; readonly output: string; readonly errors: string }
type Options = { readonly env?: Record<string, string>; readonly cwd?: string; readonly input?: string }

/** Kills the child after four minutes. Without `env` the child gets this process's environment without the variables of the test runner. */
export function runToEnd(program: string, args: readonly string[], { env, cwd, input }: Options = {}): Promise<Ended> {
  // Without XDG_RUNTIME_DIR no command reaches the services of the person who runs the tests.
  const outside = { XDG_RUNTIME_DIR: undefined, DBUS_SESSION_BUS_ADDRESS: undefined, CI: undefined, STUDIO_TEST_WEIGHTS: undefined }
  const inherited = { ...process.env, ...outside, NODE_TEST_CONTEXT: undefined }
  const child = spawn(program, args, { cwd, env: { ...inherited, ...env }, stdio: ['pipe', 'pipe', 'pipe'], timeout: 240_000 })
  let output = ''
  let errors = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  child.stderr.on('data', (piece) => {
    errors += piece
  })
  child.stdin.on('error', () => {}) // the program may exit without reading its input
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output, errors }))
  })
}

export const studio = (args: readonly string[], options?: Options): Promise<Ended> =>
  runToEnd(process.execPath, [join(REPOSITORY, 'cli/main.ts'), ...args], options)

/** The value of a command that was run with --json and succeeded. */
export const jsonIn = (output: string) => JSON.parse(output).data

/** Address at which the commands find this studio. */
export const addressOf = ({ url, dataDir }: { readonly url: string; readonly dataDir: string }) => ({
  STUDIO_HOST: '127.0.0.1',
  STUDIO_PORT: new URL(url).port,
  STUDIO_DATA_DIR: dataDir,
})

/** Runs a command against this studio. */
export const commandsOf =
  (world: { readonly url: string; readonly dataDir: string }) =>
  (...words: string[]): Promise<Ended> =>
    studio(words, { env: addressOf(world) })
