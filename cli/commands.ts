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
    name: 'audit',
    usage: 'audit verify',
    line: 'check that no entry of the audit log was changed or removed',
    options: [['--head COUNT:DIGEST', 'also that the log still holds what an earlier check told']],
    load: () => import('./audit.ts'),
  },
  {
    name: 'audit',
    usage: 'audit show',
    line: 'who was enrolled, approved, removed, connected, and when',
    options: [
      ['--last N', 'only the newest N; 50 without it'],
      ['--json', 'one entry a line, as JSON'],
    ],
    load: () => import('./audit.ts'),
  },
  {
    name: 'authority',
    usage: 'authority show',
    line: 'the key that certifies the machines, and how far its replacement is',
    load: () => import('./authority.ts'),
  },
  {
    name: 'authority',
    usage: 'authority prepare|activate|retire',
    line: 'replace that key, one step at a time; no machine is lost on the way',
    options: [['--force', 'retire although machines are behind; they must join again']],
    load: () => import('./authority.ts'),
  },
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
