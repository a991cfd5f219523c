// `setup`: installs with apt-get the programs of PROGRAMS that PATH lacks; with --tests also TEST_PROGRAMS. It asks first. Without apt-get
// it prints the package names.
import { mkdirSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { findProgram } from '#shared/runtime/program.ts'
import { captureProgram } from '../lib/child.ts'
import { type CommandRun, parseArguments, refuseArguments, type Terminal } from '../lib/command.ts'
import { PROGRAM_FOLDER, PROGRAMS, type Program, packagesOf, programPath, TEST_PROGRAMS } from '../lib/programs.ts'

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
  const installed = packagesOf(missing.filter(({ file }) => file === undefined))
  const steps = [
    ...(installed.length ? [`Install with ${[...elevation, 'apt-get', 'install', ...installed].join(' ')}`] : []),
    ...missing.flatMap((row) => (row.file ? [`Download the package ${row.package} and take ${row.program} out of it`] : [])),
  ]
  if (!values.yes && !(await agreed(`${steps.join('. ')}? (y/N) `, terminal))) return 1
  return install(elevation, missing, terminal)
}

export const missingPrograms = (path: string | undefined, wanted = PROGRAMS): readonly Program[] =>
  wanted.filter(({ program }) => !findProgram(program, programPath(path)))

/** For continuous integration. Never asks for a password; prints a line about each group of programs that stays missing. */
export async function setupUnattended(terminal: Terminal): Promise<void> {
  // In groups, so that an unavailable browser does not block the other programs.
  for (const wanted of [PROGRAMS, ...TEST_PROGRAMS.map((row) => [row])])
    await installUnattended(missingPrograms(terminal.env.PATH, wanted), terminal)
}

async function installUnattended(missing: readonly Program[], terminal: Terminal): Promise<void> {
  if (!missing.length) return
  const elevation = aptElevation(terminal.env.PATH)?.flatMap((word) => [word, '-n'])
  const mayInstall = elevation && (!elevation.length || (await captureIn(terminal, [...elevation, 'true'])).code === 0)
  if (mayInstall && (await install(elevation, missing, terminal)) === 0) return
  const isReplaced = ({ alternatives = [] }: Program) => alternatives.some((name) => findProgram(name, terminal.env.PATH))
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

async function agreed(question: string, { input, output }: Terminal): Promise<boolean> {
  if (!input.isTTY) {
    output.write(`${question}\nStandard input is not a terminal. Run ./studio setup --yes to install without confirmation.\n`)
    return false
  }
  const lines = createInterface({ input, output })
  const answer = await lines.question(question).finally(() => lines.close())
  return /^y(es)?$/i.test(answer.trim())
}

async function install(elevation: readonly string[], programs: readonly Program[], terminal: Terminal): Promise<number> {
  const packages = packagesOf(programs.filter(({ file }) => file === undefined))
  terminal.output.write(`Installing ${packagesOf(programs).join(' ')} (this can take a few minutes) …\n`)
  // DEBIAN_FRONTEND is set with `env` because sudo drops it from the environment.
  const apt = (...args: string[]) => captureIn(terminal, [...elevation, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args])
  const steps = [
    ...(packages.length ? [() => apt(...INSTALL, ...packages)] : []),
    ...programs.flatMap((row) => (row.file === undefined ? [] : [() => takeOut(row, PROGRAM_FOLDER, terminal)])),
  ]
  for (const step of steps) {
    let last = await step()
    // `apt-get update` is slow and rarely needed, so it runs only after a failed installation.
    if (last.code !== 0) {
      await apt('update')
      last = await step()
    }
    if (last.code === 0) continue
    terminal.errors.write(`${last.text}studio: apt-get failed. Its output is shown above.\n`)
    return 1
  }
  terminal.output.write('Installed.\n')
  return 0
}

/** Downloads the package and writes its `file` to `folder`, as an executable with the name of the program. */
export function takeOut({ program, package: name, file = '' }: Program, folder: string, terminal: Terminal) {
  mkdirSync(folder, { recursive: true })
  const script = [
    'set -e; cd "$1"; rm -f "$2"_*.deb',
    'apt-get -o APT::Sandbox::User=root download "$2"',
    'dpkg-deb --fsys-tarfile "$2"_*.deb > "$4.tar"; tar -x -O -f "$4.tar" "$3" > "$4.part"; rm -f "$2"_*.deb "$4.tar"',
    'chmod +x "$4.part"; mv "$4.part" "$4"',
  ].join('\n')
  return captureIn(terminal, ['sh', '-c', script, 'sh', folder, name, file, program])
}

const captureIn = ({ env, interrupted }: Terminal, [program = '', ...args]: readonly string[]) =>
  captureProgram(program, args, { env, signal: interrupted() })
