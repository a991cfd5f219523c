// `check`: everything that can be known without running the studio. All steps run, so that one pass shows all there is to mend.
import { join } from 'node:path'
import { captureProgram } from '#cli/lib/child.ts'
import { type CommandRun, ROOT, refuseArguments, type Terminal } from '#cli/lib/command.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { staleDocuments } from '#tools/docs/documents.ts'

type Finding = { readonly passed: boolean; readonly text: string }
type Step = { readonly name: string; readonly run: (terminal: Terminal) => Promise<Finding> }

const tool = (name: string) => join(ROOT, 'node_modules/.bin', name)
const program = (name: string, path: string, ...args: string[]): Step => ({
  name,
  async run({ env, interrupted }) {
    const { code, text } = await captureProgram(path, args, { env: { ...env, NODE_TEST_CONTEXT: undefined }, signal: interrupted() })
    return { passed: code === 0, text }
  },
})

/** Only what changed since the last run is checked again; `memory` keeps what the last one found. */
const types = (name: string, project: string, memory: string): Step =>
  program(name, tool('tsc'), '-p', project, '--incremental', '--tsBuildInfoFile', join(ROOT, '.toolchain', memory))

const STEPS: readonly Step[] = [
  types('types', 'tsconfig.json', 'types.tsbuildinfo'),
  types('types of the web pages', 'control-plane/web/tsconfig.json', 'types-web.tsbuildinfo'),
  program('lint and format', tool('biome'), 'check', '--error-on-warnings'),
  program('architecture', process.execPath, '--test', '--test-reporter=spec', 'test/architecture/**/*.test.ts'),
  {
    name: 'generated documents',
    async run() {
      const stale = await staleDocuments()
      return { passed: !stale.length, text: stale.map((path) => `${path} is out of date; run ./studio docs\n`).join('') }
    },
  },
]

export const run: CommandRun = async (args, terminal) => {
  refuseArguments('check', args)
  let failed = 0
  for (const step of STEPS) {
    if (terminal.interrupted().aborted) return 1
    const startedAt = systemClock.mono()
    const { passed, text } = await step.run(terminal)
    const seconds = ((systemClock.mono() - startedAt) / 1000).toFixed(1)
    terminal.output.write(`${passed ? '✔' : '✖'} ${step.name} (${seconds} s)\n${passed ? '' : text}`)
    if (!passed) failed++
  }
  return failed ? 1 : 0
}
