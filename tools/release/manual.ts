// The pages of the manual in the packages, from the tables of commands, with the name of the package as the command.
import { join } from 'node:path'
import { AGENT } from '#cli/commands/lists/machines.ts'
import { VERSIONS } from '#cli/commands/lists/program.ts'
import { EXIT_STATUSES } from '#cli/lib/answer/exit.ts'
import { GLOBAL_OPTIONS } from '#cli/lib/answer/global-options.ts'
import { type Command, ROOT } from '#cli/lib/command.ts'
import { manualPage } from '#cli/views/completion.ts'
import { COMMAND, PACKAGES, VERSION } from '#shared/protocol/version.ts'
import { execFileSync } from '#shared/runtime/child/process.ts'

const LONGEST_MS = 60_000

export const manualFile = (name: string): string => `man/${name}.1`

/** The page in section 1 of the program of a package. */
export const manualOf = (name: string, version: string): string =>
  name === PACKAGES.agent ? agentManual(name, version) : studioManual(name, version)

function studioManual(name: string, version: string): string {
  const page = execFileSync(process.execPath, [join(ROOT, 'cli/main.ts'), 'man'], { cwd: ROOT, timeout: LONGEST_MS })
  const shown = name.replaceAll('-', '\\-')
  return page
    .replaceAll(COMMAND, shown)
    .replace(/^\.TH \S+ (.*)$/m, (_line, rest: string) => `.TH ${name.toUpperCase()} ${rest.replace(VERSION, version)}`)
    .replace(/^\S+ (?=\\- speech)/m, `${shown} `)
}

/** Options that the program of lenders has, which reaches no studio for a command. */
const AGENT_OPTIONS: ReadonlySet<string> = new Set(['--json', '--quiet'])
/** Commands of versions that it has, too. */
const AGENT_VERSIONS: ReadonlySet<string> = new Set(['update', 'rollback'])

/** Its commands are those of `agent`, without that word. */
function agentManual(program: string, version: string): string {
  const without = (text: string): string =>
    text
      .replaceAll(`${COMMAND} agent`, program)
      .replaceAll(COMMAND, program)
      .replace(/\bagent start\b/, 'start')
  const own = ({ usage, line, examples = [], options = [] }: Command) => ({
    name: '',
    usage: usage.replace(/^agent ?/, ''),
    line: without(line),
    examples: examples.map(without),
    options: options.map(([flag, meaning]) => [flag, without(meaning)] as const),
  })
  const versions = VERSIONS.filter(({ name }) => AGENT_VERSIONS.has(name))
  return manualPage({
    program,
    summary: 'lends this machine to a Voice Studio',
    version,
    commands: [...AGENT, ...versions].map(own),
    options: GLOBAL_OPTIONS.filter(([flag]) => AGENT_OPTIONS.has(flag)),
    statuses: EXIT_STATUSES,
  })
}
