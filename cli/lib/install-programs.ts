// Installs optional programs with apt-get, and those that are taken out of a package. Asks first. Without apt-get it prints the package names.
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { findProgram } from '#shared/runtime/program.ts'
import { captureProgram } from './child.ts'
import { canAsk, Misuse, type Terminal } from './command.ts'
import { type Program, packagesOf } from './programs.ts'

const INSTALL = ['install', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120']

/** Resolves to the exit status. `path`: where the programs are searched. `yes`: without confirmation. */
export async function installMissing(
  wanted: readonly Program[],
  { path, yes = false }: { readonly path: string | undefined; readonly yes?: boolean | undefined },
  terminal: Terminal,
): Promise<number> {
  const { output, env } = terminal
  const missing = missingPrograms(path, wanted)
  for (const row of wanted) {
    const state = missing.includes(row) ? `not installed (${row.sizeMegabytes} MB)` : 'installed'
    output.write(`${row.program}: ${state}. Adds ${row.adds}.\n`)
  }
  if (!missing.length) return 0

  const packages = packagesOf(missing.filter(({ takeOut }) => !takeOut))
  const elevation = aptElevation(env['PATH'])
  if (packages.length > 0 && !elevation) {
    output.write(`apt-get is not available or you may not use it. Install these packages with your system's tools: ${packages.join(' ')}\n`)
    return 1
  }
  const steps = [
    ...(packages.length ? [`Install with ${[...(elevation ?? []), 'apt-get', 'install', ...packages].join(' ')}`] : []),
    ...missing.flatMap((row) => (row.takeOut ? [`Download the package ${row.package} and take ${row.program} out of it`] : [])),
  ]
  if (!yes && !(await agreed(`${steps.join('. ')}? (y/N) `, terminal))) return 1
  return install(elevation, missing, terminal)
}

export const missingPrograms = (path: string | undefined, wanted: readonly Program[]): readonly Program[] =>
  wanted.filter(({ program, file }) => (file === undefined ? !findProgram(program, path) : !existsSync(file)))

/** Never asks for a password; prints a line about the programs that stay missing. */
export async function installUnattended(missing: readonly Program[], terminal: Terminal): Promise<void> {
  if (!missing.length) return
  const elevation = aptElevation(terminal.env['PATH'])?.flatMap((word) => [word, '-n']) ?? null
  const mayElevate = elevation !== null && (!elevation.length || (await captureIn(terminal, [...elevation, 'true'])).code === 0)
  const mayInstall = mayElevate || missing.every(({ takeOut }) => takeOut)
  if (mayInstall && (await install(mayElevate ? elevation : null, missing, terminal)) === 0) return
  const isReplaced = ({ alternatives = [] }: Program) => alternatives.some((name) => findProgram(name, terminal.env['PATH']))
  const skipped = missing.filter((row) => !isReplaced(row)).map(({ program }) => program)
  if (skipped.length > 0)
    terminal.errors.write(`studio: Tests that need ${skipped.join(', ')} will be skipped, because the installation failed.\n`)
}

/** The command prefix with which apt-get gets root rights: empty for root, else `sudo`. Null without apt-get or sudo. */
function aptElevation(path: string | undefined): readonly string[] | null {
  if (!findProgram('apt-get', path)) return null
  if (process.geteuid?.() === 0) return []
  return findProgram('sudo', path) ? ['sudo'] : null
}

/** Asks on the terminal, where results do not go. Without a person, throws a Misuse that names the option --yes. */
export async function agreed(question: string, terminal: Terminal): Promise<boolean> {
  const { input, errors, alerts = errors } = terminal
  if (!canAsk(terminal))
    throw new Misuse(`${question.replace(/ \(y\/N\) $/, '')} No person can answer here. Add the option --yes to do it without a question.`)
  const lines = createInterface({ input, output: alerts })
  const answer = await lines.question(question).finally(() => lines.close())
  return /^y(es)?$/i.test(answer.trim())
}

/** `elevation` null: without apt-get, which `programs` that are taken out may do without. */
async function install(elevation: readonly string[] | null, programs: readonly Program[], terminal: Terminal): Promise<number> {
  const packages = packagesOf(programs.filter(({ takeOut }) => !takeOut))
  terminal.output.write(`Installing ${packagesOf(programs).join(' ')} (this can take a few minutes) …\n`)
  // DEBIAN_FRONTEND is set with `env` because sudo drops it from the environment.
  const apt = (...args: string[]) =>
    captureIn(terminal, [...(elevation ?? []), 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args])
  const steps = [
    ...(packages.length ? [() => apt(...INSTALL, ...packages)] : []),
    ...programs.flatMap(({ takeOut }) => (takeOut ? [() => takeOut(terminal)] : [])),
  ]
  for (const step of steps) {
    let last = await step()
    // `apt-get update` is slow and rarely needed, so it runs only after a failed installation.
    if (last.code !== 0 && elevation) {
      await apt('update')
      last = await step()
    }
    if (last.code === 0) continue
    ;(terminal.alerts ?? terminal.errors).write(`${last.text}studio: The installation failed. Its output is shown above.\n`)
    return 1
  }
  terminal.output.write('Installed.\n')
  return 0
}

/** Runs the command without a terminal. */
export const captureIn = ({ env, interrupted }: Terminal, [program = '', ...args]: readonly string[]) =>
  captureProgram(program, args, { env, signal: interrupted() })
