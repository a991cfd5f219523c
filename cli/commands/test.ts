// `test`: node's own runner over all test files, and two guards it lacks: a test file that keeps a handle open fails
// (test/support/world/leak-check.ts), and so does a run that leaves a process behind.
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { systemClock } from '#shared/runtime/clock.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { runProgram } from '../lib/child.ts'
import { ROOT, type Run, type Terminal } from '../lib/command.ts'
import { processesMarked } from '../lib/leftovers.ts'
import { run as check } from './check.ts'
import { setupUnattended } from './setup.ts'

// Not STUDIO_…: those are settings, and an unknown one is refused.
const MARK = 'VOICE_STUDIO_TEST_RUN'
const GRACE = 3_000

export const run: Run = async (args, terminal) => {
  const long = args.includes('--long')
  const flags = args.filter((arg) => arg.startsWith('--test-'))
  const named = args.filter((arg) => arg !== '--long' && !flags.includes(arg)).map((file) => resolve(terminal.cwd, file))
  const files = named.length ? named : testFiles(long)

  let failed = false
  if (terminal.env.CI === 'true' && !named.length) {
    await setupUnattended(terminal)
    failed = (await check([], terminal)) !== 0
  }
  return (await runFiles(files, flags, long, terminal)) && !failed ? 0 : 1
}

const testFiles = (long: boolean) => globSync('test/**/*.test.ts', { cwd: ROOT, exclude: long ? [] : ['test/long/**'] }).sort()

async function runFiles(files: readonly string[], flags: readonly string[], long: boolean, terminal: Terminal): Promise<boolean> {
  const mark = systemRandom.hex(8)
  // No --test-force-exit: it ends a file before leak-check.ts can see what was left open, and leak-check.ts ends such files itself.
  const runner = ['--import', './test/support/world/leak-check.ts', '--test', '--test-reporter=spec', '--test-concurrency=2']
  const timeout = `--test-timeout=${long ? 3_600_000 : 240_000}`
  // NODE_TEST_CONTEXT would make a runner inside a test believe that it is a test file.
  const env = { ...terminal.env, [MARK]: mark, NODE_TEST_CONTEXT: undefined }
  const code = await runProgram(process.execPath, [...runner, timeout, ...flags, ...files], { env, signal: terminal.interrupted() })
  const leftovers = await survivors(mark)
  for (const { pid, command } of leftovers) {
    terminal.errors.write(`✖ process ${pid} outlived the tests and was killed: ${command}\n`)
    process.kill(pid, 'SIGKILL')
  }
  return code === 0 && !leftovers.length
}

// A process that was told to stop may still be on its way out.
async function survivors(mark: string) {
  const until = systemClock.mono() + GRACE
  for (;;) {
    const left = processesMarked(MARK, mark)
    if (!left.length || systemClock.mono() > until) return left
    await systemClock.sleep(100)
  }
}
