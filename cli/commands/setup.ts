// `setup`: installs with apt-get the programs of PROGRAMS that PATH lacks; with --tests also TEST_PROGRAMS. It asks first. Without apt-get
// it prints the package names.
import { createInterface } from 'node:readline/promises'
import { findProgram } from '#shared/runtime/program.ts'
import { captureProgram } from '../lib/child.ts'
import { type CommandRun, parseArguments, refuseArguments, type Terminal } from '../lib/command.ts'
import { PROGRAMS, type Program, packagesOf, TEST_PROGRAMS } from '../lib/programs.ts'

const INSTALL = ['install', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120']

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, { yes: { type: 'boolean' }, tests: { type: 'boolean' } })
  refuseArguments('setup', positionals)
  const { output, env } = terminal
  const wanted = values.tests ? [...PROGRAMS, ...TEST_PROGRAMS] : PROGRAMS
  const missing = missingPrograms(env.PATH, wanted)
  for (const row of wanted) {
    const state = missing.includes(row) ? `not installed (${row.sizeMegabytes} MB)` : 'installed'
    output.write(`${row.program}: ${state}. Adds ${row.adds}.\n`)
  }
  if (!missing.length) return 0

  const packages = packagesOf(missing)
  const elevation = aptElevation(env.PATH)
  if (!elevation) {
    output.write(`apt-get is not available or you may not use it. Install these packages with your system's tools: ${packages.join(' ')}\n`)
    return 1
  }
  const question = `Install with ${[...elevation, 'apt-get', 'install', ...packages].join(' ')}? (y/N) `
  if (!values.yes && !(await agreed(question, terminal))) return 1
  return install(elevation, packages, terminal)
}

export const missingPrograms = (path: string | undefined, wanted = PROGRAMS): readonly Program[] =>
  wanted.filter((row) => ![row.program, ...(row.alternatives ?? [])].some((name) => findProgram(name, path)))

/** For continuous integration. Never asks for a password; prints a line about each group of programs that stays missing. */
export async function setupUnattended(terminal: Terminal): Promise<void> {
  // In two groups, so that an unavailable browser does not block the other programs.
  for (const wanted of [PROGRAMS, TEST_PROGRAMS]) await installUnattended(missingPrograms(terminal.env.PATH, wanted), terminal)
}

async function installUnattended(missing: readonly Program[], terminal: Terminal): Promise<void> {
  if (!missing.length) return
  const elevation = aptElevation(terminal.env.PATH)?.flatMap((word) => [word, '-n'])
  const packages = packagesOf(missing)
  const mayInstall = elevation && (!elevation.length || (await captureIn(terminal, [...elevation, 'true'])).code === 0)
  if (mayInstall && (await install(elevation, packages, terminal)) === 0) return
  terminal.errors.write(
    `studio: Tests that need ${missing.map((row) => row.program).join(', ')} will be skipped, because the installation failed.\n`,
  )
}

/** The command prefix with which apt-get gets root rights: empty for root, else `sudo`. Null without apt-get or sudo. */
function aptElevation(path: string | undefined): readonly string[] | null {
  if (!findProgram('apt-get', path)) return null
  if (process.geteuid?.() === 0) return []
  return findProgram('sudo', path) ? ['sudo'] : null
}

async function agreed(question: string, { input, output }: Terminal): Promise<boolean> {
  if (!input.isTTY) {
    output.write(`${question}\nStandard input is not a terminal. Run ./studio setup --yes to install without confirmation.\n`)
    return false
  }
  const lines = createInterface({ input, output })
  const answer = await lines.question(question).finally(() => lines.close())
  return /^y(es)?$/i.test(answer.trim())
}

// `apt-get update` is slow and rarely needed, so it runs only after a failed installation.
async function install(elevation: readonly string[], packages: readonly string[], terminal: Terminal): Promise<number> {
  terminal.output.write(`Installing ${packages.join(' ')} (this can take a few minutes) …\n`)
  // DEBIAN_FRONTEND is set with `env` because sudo drops it from the environment.
  const apt = (...args: string[]) => captureIn(terminal, [...elevation, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args])
  let last = await apt(...INSTALL, ...packages)
  if (last.code !== 0) {
    await apt('update')
    last = await apt(...INSTALL, ...packages)
  }
  if (last.code === 0) terminal.output.write('Installed.\n')
  else terminal.errors.write(`${last.text}studio: apt-get failed. Its output is shown above.\n`)
  return last.code === 0 ? 0 : 1
}

const captureIn = ({ env, interrupted }: Terminal, [program = '', ...args]: readonly string[]) =>
  captureProgram(program, args, { env, signal: interrupted() })
