// The commands that show the running studio and what it has made.
import type { Command } from '#cli/lib/command.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { FORCE, YES } from './options.ts'

export const STATE: readonly Command[] = [
  {
    name: 'open',
    group: 'everyday',
    usage: 'open',
    line: 'Open the page of the running studio',
    examples: [`${COMMAND} open`],
    options: [['--print', 'Only print its address']],
    load: () => import('../open.ts'),
  },
  {
    name: 'status',
    group: 'everyday',
    usage: 'status',
    line: 'Show what runs where, and what waits',
    examples: [`${COMMAND} status`, `${COMMAND} status --json`],
    load: () => import('../status.ts'),
  },
]

const history = { name: 'history', group: 'everyday', load: () => import('../history.ts') } as const

export const HISTORY: readonly Command[] = [
  {
    ...history,
    usage: 'history',
    line: 'List the newest takes',
    examples: [`${COMMAND} history --last 5`, `${COMMAND} history save 1f3a9c21 -o morning.wav`],
    options: [['--last NUMBER', 'Number of takes, up to 1000 (default: 20)']],
  },
  { ...history, usage: 'history show ID', line: 'Show a take' },
  { ...history, usage: 'history save ID -o FILE', line: 'Copy the sound of a take to a file', options: [FORCE] },
  {
    ...history,
    usage: 'history remove ID',
    line: 'Delete a take for good',
    options: [YES],
  },
]
