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
  {
    name: 'invite',
    usage: 'invite',
    line: 'a join code of the running studio, for a machine that shall lend',
    options: [
      ['--label NAME', 'how the machine shall be called'],
      ['--endpoint HOST:PORT', 'where it shall dial; without it this machine in its network'],
      ['--ttl SECONDS', '60 to 86400; without it 900'],
    ],
    load: () => import('./invite.ts'),
  },
  {
    name: 'agent',
    usage: 'agent join CODE',
    line: 'lend this machine to the studio that made CODE',
    load: () => import('./agent.ts'),
  },
  { name: 'agent', usage: 'agent [start]', line: 'work for the studio joined before; Ctrl-C stops it', load: () => import('./agent.ts') },
  {
    name: 'agent',
    usage: 'agent status',
    line: 'whom this machine works for, and who is attached',
    options: [['--json', 'for scripts']],
    load: () => import('./agent.ts'),
  },
  { name: 'agent', usage: 'agent lend on|off', line: 'lend or not, and stay joined', load: () => import('./agent.ts') },
  { name: 'agent', usage: 'agent finish', line: 'finish what it holds, take nothing new, then stop', load: () => import('./agent.ts') },
  { name: 'agent', usage: 'agent leave', line: 'stop lending and forget the studio', load: () => import('./agent.ts') },
  {
    name: 'agent',
    usage: 'agent listen',
    line: 'let panels dial this machine',
    options: [
      ['--bind ADDRESS', 'where to listen; without it this machine only'],
      ['--port NUMBER', 'without it 7444'],
      ['--off', 'stop listening'],
    ],
    load: () => import('./agent.ts'),
  },
  {
    name: 'agent',
    usage: 'agent keys',
    line: 'who may dial this machine',
    options: [['--json', 'for scripts']],
    load: () => import('./agent.ts'),
  },
  { name: 'agent', usage: 'agent keys add NAME', line: 'a connection string for one person', load: () => import('./agent.ts') },
  { name: 'agent', usage: 'agent keys revoke ID', line: 'cut that person off for good', load: () => import('./agent.ts') },
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
