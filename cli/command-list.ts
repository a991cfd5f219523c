// Every command of ./studio, in the order in which --help shows them. Each module is loaded on use, so that help stays fast.
import type { Command } from './lib/command.ts'

const agent = () => import('./commands/agent.ts')
const workers = () => import('./commands/workers.ts')
const models = () => import('./commands/models.ts')
const tasks = () => import('./commands/tasks.ts')
const authority = () => import('./commands/authority.ts')
const audit = () => import('./commands/audit.ts')

export const COMMANDS: readonly Command[] = [
  { name: 'start', usage: '', line: 'Start the studio (Ctrl-C stops it)', load: () => import('./commands/start.ts') },
  {
    name: 'say',
    usage: 'say TEXT -o FILE',
    line: 'Generate speech with the running studio; - means standard input or output',
    options: [
      ['--voice NAME', "A voice or a saved profile (default: the engine's own voice)"],
      ['--format NAME', 'mp3, opus, aac, flac, wav or pcm (default: the extension of FILE)'],
      ['--speed NUMBER', '0.25 to 4 (default: 1)'],
    ],
    load: () => import('./commands/say.ts'),
  },
  {
    name: 'invite',
    usage: 'invite',
    line: 'Create a join code for a lending machine',
    options: [
      ['--label NAME', 'Name of the machine in this studio'],
      ['--endpoint HOST:PORT', 'Address that the machine connects to (default: this machine in its network)'],
      ['--ttl SECONDS', 'How long the code is valid, 60 to 86400 (default: 900)'],
    ],
    load: () => import('./commands/invite.ts'),
  },
  {
    name: 'agent',
    usage: 'agent join CODE',
    line: 'Lend this machine to the studio that created CODE; - reads the code from standard input',
    load: agent,
  },
  { name: 'agent', usage: 'agent [start]', line: 'Run the agent (Ctrl-C stops it)', load: agent },
  {
    name: 'agent',
    usage: 'agent status',
    line: 'Show which studio this machine lends to and which studios are connected',
    options: [['--json', 'Print JSON']],
    load: agent,
  },
  { name: 'agent', usage: 'agent lend on|off', line: 'Turn lending on or off and stay joined', load: agent },
  { name: 'agent', usage: 'agent finish', line: 'Finish the current tasks, accept no new ones, then stop', load: agent },
  { name: 'agent', usage: 'agent leave', line: 'Stop lending and leave the studio', load: agent },
  {
    name: 'agent',
    usage: 'agent listen',
    line: 'Accept connections from other studios',
    options: [
      ['--bind ADDRESS', 'Address to listen on (default: this machine only)'],
      ['--port NUMBER', 'Port to listen on (default: 7444)'],
      ['--off', 'Stop listening'],
    ],
    load: agent,
  },
  {
    name: 'agent',
    usage: 'agent keys',
    line: 'List the connection strings of this machine',
    options: [['--json', 'Print JSON']],
    load: agent,
  },
  { name: 'agent', usage: 'agent keys add NAME', line: 'Create a connection string for one person', load: agent },
  { name: 'agent', usage: 'agent keys revoke ID', line: 'Revoke a connection string and disconnect its user', load: agent },
  {
    name: 'audit',
    usage: 'audit verify',
    line: 'Verify that no entry of the audit log was changed or removed',
    options: [['--head COUNT:DIGEST', 'Also verify that the log continues an earlier head']],
    load: audit,
  },
  {
    name: 'audit',
    usage: 'audit show',
    line: 'Show when machines were enrolled, approved, removed or connected, and by whom',
    options: [
      ['--last NUMBER', 'Number of entries (default: 50)'],
      ['--json', 'Print one JSON object a line'],
    ],
    load: audit,
  },
  {
    name: 'authority',
    usage: 'authority show',
    line: 'Show the key that certifies the machines and the state of its rotation',
    options: [['--json', 'Print JSON']],
    load: authority,
  },
  {
    name: 'authority',
    usage: 'authority prepare|activate|retire',
    line: 'Replace that key, one step at a time, without losing a machine',
    options: [['--force', 'Retire although some machines have not followed; those must join again']],
    load: authority,
  },
  {
    name: 'workers',
    usage: 'workers',
    line: 'List the machines of the running studio with state and tasks',
    options: [['--json', 'Print JSON; also valid for the other workers commands']],
    load: workers,
  },
  {
    name: 'workers',
    usage: 'workers logs NAME',
    line: 'Show the newest log lines of a machine',
    options: [
      ['--last NUMBER', 'Number of lines, up to 1000 (default: 50)'],
      ['--follow', 'Keep printing new lines until Ctrl-C'],
    ],
    load: workers,
  },
  { name: 'workers', usage: 'workers VERB NAME', line: 'Approve, withdraw, remove, drain or resume a machine', load: workers },
  {
    name: 'tasks',
    usage: 'tasks',
    line: 'List the newest tasks with state, machine, and why they wait or failed',
    options: [
      ['--json', 'Print JSON'],
      ['--last NUMBER', 'Number of tasks, up to 200 (default: 20)'],
    ],
    load: tasks,
  },
  { name: 'tasks', usage: 'tasks cancel ID', line: 'Cancel a task', load: tasks },
  {
    name: 'models',
    usage: 'models',
    line: 'List the models and whether they are installed',
    options: [['--json', 'Print JSON']],
    load: models,
  },
  {
    name: 'models',
    usage: 'models install ID',
    line: 'Install a model on the chosen machine (Ctrl-C cancels)',
    options: [
      ['--accept-licence', 'Accept a licence that restricts the use of the model'],
      ['--json', 'Print one JSON event a line'],
    ],
    load: models,
  },
  { name: 'models', usage: 'models remove ID', line: 'Delete a model', load: models },
  {
    name: 'engines',
    usage: 'engines',
    line: 'List the engines, and why some are not available',
    options: [['--json', 'Print JSON']],
    load: () => import('./commands/engines.ts'),
  },
  {
    name: 'doctor',
    usage: 'doctor',
    line: 'Check this machine and explain how to fix what is missing',
    options: [['--json', 'Print JSON']],
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'setup',
    usage: 'setup',
    line: 'Install optional Debian packages',
    options: [
      ['--yes', 'Do not ask for confirmation'],
      ['--tests', 'Also install the browser that some tests need'],
    ],
    load: () => import('./commands/setup.ts'),
  },
  {
    name: 'test',
    usage: 'test [PATHS]',
    line: 'Run the tests, all or some; with CI=true also everything that check runs',
    options: [
      ['--long', 'Also run the tests that take minutes each'],
      ['--test-…', 'Options of the Node test runner, such as --test-name-pattern=WORD'],
    ],
    load: () => import('./commands/test.ts'),
  },
  {
    name: 'check',
    usage: 'check',
    line: 'Check types, lint, architecture and generated documents',
    load: () => import('./commands/check.ts'),
  },
  { name: 'docs', usage: 'docs', line: 'Write the generated documents', load: () => import('./commands/docs.ts') },
  { name: 'bench', usage: 'bench [NAMES]', line: 'Run the benchmarks, all or some', load: () => import('./commands/bench.ts') },
  { name: '--help', usage: '--help', line: 'Show this page', load: () => import('./commands/help.ts') },
  {
    name: '--version',
    usage: '--version',
    line: 'Show the version of the studio and of Node',
    load: () => import('./commands/version.ts'),
  },
]
