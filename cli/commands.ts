// Every command of ./studio, in the order in which --help shows them. Each is loaded only when it is asked for, so help is instant.
import type { Command } from './command.ts'

export const COMMANDS: readonly Command[] = [
  { name: 'start', usage: '', line: 'start the studio; Ctrl-C stops it', load: () => import('./start.ts') },
  {
    name: 'say',
    usage: 'say TEXT -o FILE',
    line: 'let the running studio speak TEXT into FILE; - means standard input or output',
    options: [
      ['--voice NAME', "a voice or a saved profile; without it the engine's own"],
      ['--format NAME', 'mp3, opus, aac, flac, wav or pcm; without it the ending of FILE decides'],
      ['--speed NUMBER', '0.25 to 4'],
    ],
    load: () => import('./say.ts'),
  },
  { name: 'agent', usage: 'agent join CODE', line: 'lend this machine to the studio that made CODE', load: () => import('./agent.ts') },
  { name: 'agent', usage: 'agent', line: 'work for the studio joined before; Ctrl-C stops it', load: () => import('./agent.ts') },
  {
    name: 'workers',
    usage: 'workers',
    line: 'the machines of the running studio: state, tasks, why not',
    options: [['--json', 'for scripts; so do all the lines below']],
    load: () => import('./workers.ts'),
  },
  {
    name: 'workers',
    usage: 'workers logs NAME',
    line: 'the newest lines of the log of a machine',
    options: [
      ['--last NUMBER', 'how many, up to 1000; 50 without it'],
      ['--follow', 'and every new one; Ctrl-C ends it'],
    ],
    load: () => import('./workers.ts'),
  },
  {
    name: 'workers',
    usage: 'workers VERB NAME',
    line: 'approve, withdraw, remove, drain or resume a machine',
    load: () => import('./workers.ts'),
  },
  {
    name: 'tasks',
    usage: 'tasks',
    line: 'the newest tasks: state, machine, why they wait or failed',
    options: [
      ['--json', 'for scripts'],
      ['--last NUMBER', 'how many, up to 200; 20 without it'],
    ],
    load: () => import('./tasks.ts'),
  },
  { name: 'tasks', usage: 'tasks cancel ID', line: 'cancel a task', load: () => import('./tasks.ts') },
  {
    name: 'setup',
    usage: 'setup',
    line: 'install Debian programs that widen what works here',
    options: [['--yes', 'do not ask']],
    load: () => import('./setup.ts'),
  },
  {
    name: 'test',
    usage: 'test [FILES]',
    line: 'run the tests, all or some; with CI=true also everything check does',
    options: [
      ['--long', 'also the tests that take minutes each'],
      ['--test-…', "node's own, such as --test-name-pattern=WORD"],
    ],
    load: () => import('./test.ts'),
  },
  { name: 'check', usage: 'check', line: 'types, lint, architecture, generated documents', load: () => import('./check.ts') },
  { name: 'docs', usage: 'docs', line: 'write the generated documents anew', load: () => import('./docs.ts') },
  { name: 'bench', usage: 'bench [NAMES]', line: 'measure, all or some', load: () => import('./bench.ts') },
  { name: '--help', usage: '--help', line: 'this page', load: () => import('./help.ts') },
  { name: '--version', usage: '--version', line: 'the version of the studio and of Node', load: () => import('./version.ts') },
]
