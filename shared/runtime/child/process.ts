// The functions of node:child_process that this project uses, and the only way to them. A child has the environment that its caller names, or
// the few variables of `childEnvironment`, never all variables of this process; and it is always silent (environment.ts). Foreign programs
// are started with `spawnGroup` of group.ts.
import * as node from 'node:child_process'
import { childEnvironment, silentEnvironment } from './environment.ts'

type Env = Readonly<Record<string, string | undefined>>
const environmentOf = (env: Env | undefined): Record<string, string> =>
  env === undefined ? childEnvironment(process.env) : silentEnvironment(env)

/** The folder of Windows itself, whose programs are started by their whole path. */
export const systemFolder = (): string => process.env['SystemRoot'] ?? 'C:\\Windows'

/** Same as in node:child_process; the arguments are always a list. */
export const spawn = ((program: string, args: readonly string[] = [], options: node.SpawnOptions = {}) =>
  node.spawn(program, args, { ...options, env: environmentOf(options.env) })) as typeof node.spawn

/** Same as in node:child_process; the arguments are always a list. */
export const fork = (module: string, args: readonly string[], options: node.ForkOptions): node.ChildProcess =>
  node.fork(module, args, { ...options, env: environmentOf(options.env) })

type Answer = (error: node.ExecFileException | null, output: string, errors: string) => void
/** Same as in node:child_process, for programs that answer shortly. `timeout` and `maxBuffer` bound them. */
export const execFile = (
  program: string,
  args: readonly string[],
  options: node.ExecFileOptions & { readonly timeout: number },
  answer: Answer,
): node.ChildProcess =>
  node.execFile(program, args, { ...options, env: environmentOf(options.env), encoding: 'utf8' }, (error, output, errors) =>
    answer(error, output, errors),
  )

/** The standard output, as text. Throws as in node:child_process. Blocks this process for at most `timeout` milliseconds. */
export const execFileSync = (
  program: string,
  args: readonly string[],
  options: node.ExecFileSyncOptions & { readonly timeout: number },
): string => node.execFileSync(program, args, { ...options, env: environmentOf(options.env), encoding: 'utf8' })
