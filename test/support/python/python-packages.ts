// Packages of Python that tests run: installed with pip into .toolchain, once for each list of versions. Only for runs with --long.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '#shared/runtime/program.ts'
import { isLongRun } from '../long-run.ts'

const FOLDER = join(import.meta.dirname, '../../../.toolchain/python')
const run = promisify(execFile)

/**
 * A Python interpreter with these packages (`name==version`), or the reason why there is none, for `skip`. An interrupted installation leaves nothing that
 * the next run would use.
 */
export async function pythonWith(packages: readonly string[]): Promise<{ readonly python: string } | { readonly skip: string }> {
  const names = packages.join(', ')
  if (!isLongRun) return { skip: `${names} is installed with pip: only with --long` }
  const system = findProgram('python3', process.env['PATH'])
  if (!system) return { skip: `python3 is not installed, so ${names} is not either` }
  const place = join(FOLDER, createHash('sha256').update(names).digest('hex').slice(0, 16))
  const python = join(place, 'bin/python')
  if (existsSync(python)) return { python }
  const part = `${place}.${process.pid}`
  try {
    await mkdir(FOLDER, { recursive: true })
    await run(system, ['-m', 'venv', part])
    await run(join(part, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages])
    await rename(part, place)
    return { python }
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    const last = String((error as { stderr?: string }).stderr ?? error)
      .trim()
      .split('\n')
      .at(-1)
    return { skip: `pip did not install ${names}: ${last}` }
  }
}

/** Runs a script and returns what it printed. Throws with the end of its standard error. */
export async function runPython(python: string, script: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(python, ['-I', script, ...args], { maxBuffer: 2 ** 26 })
  return stdout
}
