// @ts-check
// The words of the Machines page: the table and the machine beside it.
import { COMMAND, grouped, strings as shared } from '../../lib/strings.js'

/** @param {number} count */
const tasks = (count) => shared.plural(count, 'task', 'tasks')

/** @param {number} online @param {number} all */
const machines = (online, all) => {
  if (all === 0) return 'No other machine yet'
  if (all === 1) return online === 1 ? '1 machine, online' : '1 machine, offline'
  if (online === 0) return `All ${grouped(all)} machines are offline`
  return online === all ? `All ${grouped(all)} machines are online` : `${grouped(online)} of ${grouped(all)} machines are online`
}

const page = {
  machines: 'Machines',
  views: 'Views',
  tabs: { '': 'Borrowed', shared: 'Shared by me', routing: 'Routing', security: 'Security' },
  /** @param {boolean} isOn */
  remote: (isOn) => `Remote machines: ${isOn ? 'on' : 'off'}`,
  turnOn: 'Turn on remote machines',
  turnOff: 'Turn off…',
  turnOffTitle: 'Turn off remote machines?',
  turnOffYes: 'Turn off',
  turnOffWarning:
    'All machines are disconnected and the port is closed. Their tasks are stopped. The machines stay enrolled and come back when you turn this on again.',
  turnedOn: 'Remote machines are on.',
  turnedOff: 'Remote machines are off.',
  offNote: 'While this is off, all work stays on this machine and no machine can join.',
  /** @param {string} reason */
  startError: (reason) => `Couldn't turn on remote machines: ${reason}`,
  joinAt: 'Machines join at ',
  /** @param {number} online @param {number} all @param {number} running @param {number} waiting */
  counts: (online, all, running, waiting) =>
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
  /** @param {number} count */
  all: (count) => `All (${grouped(count)})`,
  /** @param {string} state @param {number} count */
  stateCount: (state, count) => `${state} (${grouped(count)})`,
  /** @param {number} found @param {number} all */
  shown: (found, all) => (found === all ? shared.plural(all, 'machine', 'machines') : `${grouped(found)} of ${grouped(all)} machines`),
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
  /** @param {number} count */
  working: (count) => `Runs ${tasks(count)}`,
  /** @param {string} used @param {string} all */
  memoryUse: (used, all) => `${used} of ${all}`,
  /** @param {string} use */
  memoryOf: (use) => `GPU memory: ${use}`,
  noGpu: 'No GPU',
  /** @param {string} names @param {number} more */
  loaded: (names, more) => (more > 0 ? `${names} +${more}` : names),
}

const use = {
  names: { preferred: 'Preferred', automatic: 'Automatic', low: 'Low priority', never: 'Never' },
  /** @param {string} priority */
  other: (priority) => `Priority ${priority}`,
  /** @param {string} name */
  label: (name) => `Used for work: ${name}`,
  notYet: 'Nothing is sent yet',
  /** @param {string} name */
  saved: (name) => `Saved for ${name}.`,
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
  models: 'Models loaded',
  none: 'None',
  runsNow: 'Running now',
  idle: 'Idle',
  latency: 'Latency',
  /** @param {number} ms */
  ms: (ms) => `${ms} ms`,
  lastSeen: 'Last seen',
  now: 'Now',
  priority: 'Priority',
  /** @param {number} priority */
  priorityOf: (priority) => (priority === 50 ? 'Normal' : `${priority > 50 ? 'High' : 'Low'} (${priority})`),
  unknown: 'Unknown',
  /** @param {number} count */
  cpuOnly: (count) => `CPU, ${shared.plural(count, 'core', 'cores')}, no GPU`,
  /** @param {string} model @param {string} backend */
  gpu: (model, backend) => `${model} (${backend})`,
  /** @param {string} model @param {string} reason */
  unusableGpu: (model, reason) => `${model} (present, not usable, because ${reason})`,
  /** @param {string} free @param {string} all */
  gpuMemory: (free, all) => `${free} of ${all} GPU memory free`,
  /** @param {string} size */
  systemMemory: (size) => `${size} of memory`,
  /** @param {string} engine @param {string} operation @param {string} stage */
  work: (engine, operation, stage) => `${work[operation] ?? operation} with ${engine}, ${stage}`,

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
  /** @param {string} action @param {string} name */
  actionFor: (action, name) => `${action}: ${name}`,
  /** @param {string} name */
  resumed: (name) => `${name} gets work again.`,
  /** @param {string} name @param {string} why */
  notResumed: (name, why) => `${name} still gets no work. ${why}`,
  /** @param {string} name */
  draining: (name) => `${name} finishes its tasks and takes no new ones.`,
  /** @param {string} name */
  turnedOn: (name) => `${name} is turned on.`,
  /** @param {string} name */
  turnedOff: (name) => `${name} is turned off.`,
}

const reasons = {
  /** @param {string} why */
  quarantined: (why) => `Quarantined: ${why}. Nothing is sent there until you release it.`,
  unapproved: 'Nothing is sent there until you approve it.',
  off: 'You turned it off. Its work goes to other machines.',
  /** @param {string} why */
  notReached: (why) => `Not connected. ${why || 'The studio keeps trying to connect.'}`,
  neverConnected: `It hasn't connected yet. Its owner starts it with ${COMMAND} agent.`,
  offline: `Its owner starts it with ${COMMAND} agent. Last connected`,
  unresponsive: "It's connected but not responding. Check its log.",
  /** @param {number} count */
  drained: (count) => (count > 0 ? `Draining: it finishes ${tasks(count)} and gets no new ones.` : 'Drained: it gets no new tasks.'),
  /** @param {number} count */
  ending: (count) => `Its owner is ending it: it ${count > 0 ? `finishes ${tasks(count)} and ` : ''}takes no new ones.`,
  /** @param {string} model @param {string} summary */
  breaker: (model, summary) => `${model}: ${summary}.`,
  nextTry: 'Next attempt in ',
  aMoment: 'a moment',
  allSlots: 'All slots are in use.',
  /** @param {number} count @param {string} why */
  waits: (count, why) => `${tasks(count)} can't run there: ${why}.`,
  /** Reasons of the scheduler that need more context here. */
  placement: {
    'not the chosen machine': 'another machine is chosen for it',
    'cannot run it': 'the engine or the model is missing',
    'failed it before': 'it failed there before',
    drained: 'you took it out of service',
    'shutting down': 'its owner is ending it',
  },
}

/** @type {Readonly<Record<string, string>>} */
const work = { tts: 'Speech', asr: 'Transcription', clean: 'Noise removal', translate: 'Translation', separate: 'Voice separation' }

export const strings = { page, list, table, use, card, reasons }
