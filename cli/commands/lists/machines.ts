// The commands for this machine as a lender, and for the machines that are borrowed.
import type { Command } from '#cli/lib/command.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { YES } from './options.ts'

export const AGENT: readonly Command[] = (
  [
    {
      usage: 'agent',
      line: 'Run the agent; agent start does the same',
      examples: [`${COMMAND} agent join svcj_EXAMPLE`, `${COMMAND} agent lend off`],
      options: [['--json', 'Without a verb: log JSON lines instead of text']],
    },
    {
      usage: 'agent join CODE',
      line: 'Join the studio that created CODE',
      options: [['--no-service', 'For join: only join; the machine lends while agent runs']],
    },
    { usage: 'agent status', line: 'Show the state of lending and listening' },
    { usage: 'agent lend on|off', line: 'Turn lending on or off and stay joined' },
    { usage: 'agent space GB', line: 'Lend disk space for models; auto, clear' },
    { usage: 'agent files GB', line: 'Let studios send model files; off' },
    { usage: 'agent finish', line: 'Finish the current tasks, then stop' },
    { usage: 'agent leave', line: 'Stop lending and leave the studio' },
    {
      usage: 'agent listen',
      line: 'Let studios connect; starts the agent',
      options: [
        ['--bind ADDRESS', 'For listen: address (default: this machine only)'],
        ['--port NUMBER', 'For listen: port (default: 7444)'],
        ['--off', 'For listen: stop listening'],
      ],
    },
    { usage: 'agent gpu', line: 'Show the GPUs, or install CUDA for them' },
    {
      usage: 'agent service',
      line: 'Show its service; install, remove',
      options: [['--yes', 'For service install: replace a service of another origin']],
    },
    {
      usage: 'agent uninstall',
      line: 'Remove service and programs; keep the data',
      options: [['--delete-data', 'For uninstall: also delete the data folder without a question']],
    },
    { usage: 'agent keys', line: 'List the connection strings' },
    { usage: 'agent keys add NAME', line: 'Create a connection string for one person' },
    { usage: 'agent keys revoke ID', line: 'Revoke a connection string' },
  ] satisfies Pick<Command, 'usage' | 'line' | 'examples' | 'options'>[]
).map((row) => ({ ...row, name: 'agent', group: 'lend', load: () => import('../agent.ts') }))

export const WORKERS: readonly Command[] = (
  [
    {
      usage: 'workers',
      line: 'List the machines with state and tasks',
      examples: [`${COMMAND} workers on`, `${COMMAND} workers approve attic`, `${COMMAND} workers use auto`],
    },
    { usage: 'workers show NAME', line: 'Show one machine, or what is in a pool' },
    { usage: 'workers on|off', line: 'Open or close the port for other machines' },
    { usage: 'workers address HOST …', line: 'Name the addresses for machines; own' },
    { usage: 'workers approve NAME', line: 'Let the studio send it text and audio', options: [YES] },
    { usage: 'workers use NAME', line: 'Run tasks on it, on auto or on local' },
    { usage: 'workers connect STRING', line: 'Connect to a machine that listens' },
    { usage: 'workers drain NAME', line: 'Send it no new tasks' },
    { usage: 'workers resume NAME', line: 'Send it tasks again' },
    { usage: 'workers withdraw NAME', line: 'Withdraw the approval' },
    { usage: 'workers remove NAME', line: 'Remove it for good', options: [YES] },
    {
      usage: 'workers logs NAME',
      line: 'Show its newest log lines',
      options: [
        ['--last NUMBER', 'For logs: number of lines, up to 1000 (default: 50)'],
        ['--follow', 'For logs: keep printing new lines until Ctrl-C'],
      ],
    },
  ] satisfies Pick<Command, 'usage' | 'line' | 'examples' | 'options'>[]
).map((row) => ({ ...row, name: 'workers', group: 'borrow', load: () => import('../workers.ts') }))
