// The commands that make the studio a service of its user, and take it away again.
import type { Command } from '#cli/lib/command.ts'
import { COMMAND } from '#shared/protocol/version.ts'

const service = { name: 'service', group: 'maintain', load: () => import('../service.ts') } as const

export const SERVICE: readonly Command[] = [
  { ...service, usage: 'service', line: 'Show the service of the studio; status' },
  {
    ...service,
    usage: 'service install',
    line: 'Run the studio without a terminal',
    examples: [`STUDIO_PORT=4000 ${COMMAND} service install`],
    options: [['--yes', 'For install: replace a service of another origin']],
  },
  { ...service, usage: 'service remove', line: 'Stop it; keep programs and data' },
  {
    name: 'uninstall',
    group: 'maintain',
    usage: 'uninstall',
    line: 'Remove service and programs; keep the data',
    examples: [`${COMMAND} uninstall`],
    options: [['--delete-data', 'Also delete the data folder without a question']],
    load: () => import('../uninstall.ts'),
  },
]
