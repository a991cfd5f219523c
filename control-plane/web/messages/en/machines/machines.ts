// The words of the Machines page: the table and the machine beside it.
import { grouped, plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const tasks = (count: number) => plural(count, { one: '# task', other: '# tasks' })

const machines = (online: number, all: number) => {
  if (all === 0) return 'No other machine yet'
  if (all === 1) return online === 1 ? '1 machine, online' : '1 machine, offline'
  if (online === 0) return `All ${grouped(all)} machines are offline`
  return online === all ? `All ${grouped(all)} machines are online` : `${grouped(online)} of ${grouped(all)} machines are online`
}

const page = {
  machines: 'Machines',
  views: 'Views',
  tabs: { '': 'Borrowed', shared: 'Shared by me', routing: 'Routing', security: 'Security' },
  remote: (isOn: boolean) => `Remote machines: ${isOn ? 'on' : 'off'}`,
  turnOn: 'Turn on remote machines',
  turnOff: 'Turn off…',
  turnOffTitle: 'Turn off remote machines?',
  turnOffYes: 'Turn off',
  turnOffWarning:
    'All machines are disconnected and the port is closed. Their tasks are stopped. The machines stay enrolled and come back when you turn this on again.',
  turnedOn: 'Remote machines are on.',
  turnedOff: 'Remote machines are off.',
  offNote: 'While this is off, all work stays on this machine and no machine can join.',
  startError: (reason: string) => `Couldn't turn on remote machines: ${reason}`,
  joinAt: 'Machines join at ',
  counts: (online: number, all: number, running: number, waiting: number) =>
    [machines(online, all), running > 0 && `${tasks(running)} running`, waiting > 0 && `${tasks(waiting)} waiting`]
      .filter(Boolean)
      .join(' · '),
  add: 'Add a machine…',
  connect: 'Connect with a string…',
  routingNote: '“Runs on: Automatic” chooses the machine that would finish first. ',
  routingLink: 'See where each kind of work runs',
}

const list = {
  find: 'Find a machine',
  findExample: 'Name, device, address',
  state: 'State',
  all: (count: number) => `All (${grouped(count)})`,
  stateCount: (state: string, count: number) => `${state} (${grouped(count)})`,
  shown: (found: number, all: number) =>
    found === all ? plural(all, { one: '# machine', other: '# machines' }) : `${grouped(found)} of ${grouped(all)} machines`,
  showAll: 'Show all',
  empty: 'Only this machine so far. Add one with a GPU to make speech faster.',
  noneFound: 'No matching machines.',
}

const states = {
  ready: 'Ready',
  busy: 'Busy',
  draining: 'Draining',
  paused: 'Paused',
  unapproved: 'Needs approval',
  off: 'Turned off',
  offline: 'Offline',
  unresponsive: 'Not responding',
  quarantined: 'Quarantined',
}

const table = {
  pool: (count: number) => plural(count, { one: 'Pool of # machine', other: 'Pool of # machines' }),
  columns: {
    machine: 'Machine',
    state: 'State',
    use: 'Used for work',
    memory: 'GPU memory',
    loaded: 'Loaded',
    latency: 'Latency',
    actions: 'Action',
  },
  none: '—',
  working: (count: number) => `Runs ${tasks(count)}`,
  memoryUse: (used: string, all: string) => `${used} of ${all}`,
  memoryOf: (use: string) => `GPU memory: ${use}`,
  noGpu: 'No GPU',
  loaded: (names: string, more: number) => (more > 0 ? `${names} +${more}` : names),
}

const use = {
  names: { preferred: 'Preferred', automatic: 'Automatic', low: 'Low priority', never: 'Never' },
  other: (priority: string) => `Priority ${priority}`,
  label: (name: string) => `Used for work: ${name}`,
  notYet: 'Nothing is sent yet',
  saved: (name: string) => `Saved for ${name}.`,
}

const card = {
  states,
  back: 'All machines',
  facts: 'Details',
  address: 'Address',
  key: 'Key',
  reasonsLabel: 'Why it gets no work',
  device: 'Device',
  memory: 'Memory',
  system: 'System',
  version: 'Version of Voice Studio',
  outdated: (version: string) => `${version}, older than this studio. Update it on that machine.`,
  models: 'Models loaded',
  none: 'None',
  runsNow: 'Running now',
  idle: 'Idle',
  latency: 'Latency',
  ms: (ms: number) => `${ms} ms`,
  lastSeen: 'Last seen',
  now: 'Now',
  priority: 'Priority',
  priorityOf: (priority: number) => (priority === 50 ? 'Normal' : `${priority > 50 ? 'High' : 'Low'} (${priority})`),
  unknown: 'Unknown',
  cpuOnly: (count: number) => plural(count, { one: 'CPU, # core, no GPU', other: 'CPU, # cores, no GPU' }),
  gpu: (model: string, backend: string) => `${model} (${backend})`,
  unusableGpu: (model: string, reason: string) => `${model} (present, not usable, because ${reason})`,
  gpuMemory: (free: string, all: string) => `${free} of ${all} GPU memory free`,
  systemMemory: (size: string) => `${size} of memory`,
  work: (engine: string, operation: string, stage: string) => `${work[operation] ?? operation} with ${engine}, ${stage}`,
  stages: { assigned: 'offered', accepted: 'accepted', model_loading: 'loading the model', result_uploading: 'delivering' },

  resume: 'Resume',
  approve: 'Approve',
  release: 'Release',
  log: 'Log',
  takeWork: 'Stop draining',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  menu: 'More actions',
  rename: 'Rename or set priority',
  drain: 'Drain',
  drainHint: 'Drain: it finishes its tasks and takes no new ones.',
  withdraw: 'Withdraw approval',
  remove: shared.remove,
  actionFor: (action: string, name: string) => `${action}: ${name}`,
  resumed: (name: string) => `${name} gets work again.`,
  notResumed: (name: string, why: string) => `${name} still gets no work. ${why}`,
  draining: (name: string) => `${name} finishes its tasks and takes no new ones.`,
  turnedOn: (name: string) => `${name} is turned on.`,
  turnedOff: (name: string) => `${name} is turned off.`,
}

const reasons = {
  quarantined: (why: string) => `Quarantined: ${why}. Nothing is sent there until you release it.`,
  unapproved: 'Nothing is sent there until you approve it.',
  /** Differences from what was approved. */
  lapsed: {
    pool: "It's a pool now.",
    machine: "It's no longer a pool.",
    operator: (name: string) => `Its operator is now ${name}.`,
    places: (names: string) => `Its machines are now in ${names}.`,
    reads: 'Its operator can now read what is sent.',
    readsNot: 'Its operator says that it no longer reads what is sent.',
  },
  off: 'You turned it off. Its work goes to other machines.',
  notReached: (why: string) => `Not connected. ${why || 'The studio keeps trying to connect.'}`,
  neverConnected: (name: string) => `${name} hasn't connected yet. Its owner starts Voice Studio on it.`,
  offline: (name: string) => `${name} is switched off or not connected. Its owner starts Voice Studio on it.`,
  unresponsive: "It's connected but not responding. Check its log.",
  drained: (count: number) =>
    count > 0 ? `Draining: it finishes ${tasks(count)} and gets no new ones.` : 'Drained: it gets no new tasks.',
  ending: (count: number) => `Its owner is ending it: it ${count > 0 ? `finishes ${tasks(count)} and ` : ''}takes no new ones.`,
  breaker: (model: string, summary: string) => `${model}: ${summary}.`,
  lastConnected: (ago: string) => `Last connected ${ago}.`,
  nextTry: (time: string) => `Next attempt in ${time}.`,
  nextTrySoon: 'Next attempt in a moment.',
  allSlots: 'All slots are in use.',
  waits: (count: number, why: string) => `${tasks(count)} can't run there: ${why}.`,
  /** Reasons of the scheduler that need more context here. */
}

const work: Readonly<Record<string, string>> = {
  tts: 'Speech',
  asr: 'Transcription',
  clean: 'Noise removal',
  translate: 'Translation',
  separate: 'Voice separation',
}

export const strings = { page, list, table, use, card, reasons }
