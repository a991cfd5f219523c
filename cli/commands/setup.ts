// `setup`: installs what PROGRAMS lists and PATH lacks, with apt-get; with --tests also what only the tests need. Asks first, and says what
// to do where it cannot act itself.
import { createInterface } from 'node:readline/promises'
import { captureProgram } from '../lib/child.ts'
import { parse, type Run, type Terminal } from '../lib/command.ts'
import { PROGRAMS, type Program, packagesOf, TEST_PROGRAMS } from '../lib/programs.ts'
import { findProgram } from './path.ts'

const INSTALL = ['install', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120']

export const run: Run = async (args, terminal) => {
  const { values } = parse(args, { yes: { type: 'boolean' }, tests: { type: 'boolean' } })
  const { output, env } = terminal
  const wanted = values.tests ? [...PROGRAMS, ...TEST_PROGRAMS] : PROGRAMS
  const missing = missingPrograms(env.PATH, wanted)
  for (const row of wanted) {
    const state = missing.includes(row) ? `missing (${row.sizeMegabytes} MB to install)` : 'here'
    output.write(`${row.program}: ${state}. It adds: ${row.adds}.\n`)
  }
  if (!missing.length) return 0

  const packages = packagesOf(missing)
  const elevation = aptElevation(env.PATH)
  if (!elevation) {
    output.write(`No apt-get with the right to use it was found here. Install with your system's own tools: ${packages.join(' ')}\n`)
    return 1
  }
  const question = `Install with ${[...elevation, 'apt-get', 'install', ...packages].join(' ')}? (y/N) `
  if (!values.yes && !(await agreed(question, terminal))) return 1
  return install(elevation, packages, terminal)
}

export const missingPrograms = (path: string | undefined, wanted = PROGRAMS): readonly Program[] =>
  wanted.filter((row) => ![row.program, ...(row.like ?? [])].some((name) => findProgram(name, path)))

/** For machines nobody sits at. Never asks for a password; says so when that means that something stays missing. */
export async function setupUnattended(terminal: Terminal): Promise<void> {
  // Apart, so that one that cannot be had does not keep the others away.
  for (const wanted of [PROGRAMS, TEST_PROGRAMS]) await installUnattended(missingPrograms(terminal.env.PATH, wanted), terminal)
}

async function installUnattended(missing: readonly Program[], terminal: Terminal): Promise<void> {
  if (!missing.length) return
  const elevation = aptElevation(terminal.env.PATH)?.flatMap((word) => [word, '-n'])
  const packages = packagesOf(missing)
  const mayInstall = elevation && (!elevation.length || (await captureIn(terminal, [...elevation, 'true'])).code === 0)
  if (mayInstall && (await install(elevation, packages, terminal)) === 0) return
  terminal.errors.write(
    `studio: tests that need ${missing.map((row) => row.program).join(', ')} will be skipped: it could not be installed here\n`,
  )
}

/** The words that give apt-get its rights: none for root, `sudo` for others; null where there is no apt-get or no way to them. */
function aptElevation(path: string | undefined): readonly string[] | null {
  if (!findProgram('apt-get', path)) return null
  if (process.geteuid?.() === 0) return []
  return findProgram('sudo', path) ? ['sudo'] : null
}

async function agreed(question: string, { input, output }: Terminal): Promise<boolean> {
  if (!input.isTTY) {
    output.write(`${question}\nNobody is here to answer; run ./studio setup --yes to agree.\n`)
    return false
  }
  const lines = createInterface({ input, output })
  const answer = await lines.question(question).finally(() => lines.close())
  return /^y(es)?$/i.test(answer.trim())
}

// The lists of packages are fetched only when the first try fails: on most machines they are there, and fetching them is slow.
async function install(elevation: readonly string[], packages: readonly string[], terminal: Terminal): Promise<number> {
  terminal.output.write(`Installing ${packages.join(' ')} (this can take a few minutes) …\n`)
  // DEBIAN_FRONTEND goes on the command line because sudo drops it from the environment.
  const apt = (...args: string[]) => captureIn(terminal, [...elevation, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args])
  let last = await apt(...INSTALL, ...packages)
  if (last.code !== 0) {
    await apt('update')
    last = await apt(...INSTALL, ...packages)
  }
  if (last.code === 0) terminal.output.write('Installed.\n')
  else terminal.errors.write(`${last.text}studio: apt-get failed, its own words are above\n`)
  return last.code === 0 ? 0 : 1
}

const captureIn = ({ env, interrupted }: Terminal, [program = '', ...args]: readonly string[]) =>
  captureProgram(program, args, { env, signal: interrupted() })
