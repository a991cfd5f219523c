// @ts-check
// The words of the Machines page.
import { strings as shared } from '../../lib/strings.js'

/** @param {number} count */
const tasks = (count) => shared.plural(count, 'task', 'tasks')

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
  counts: (online, all, running, waiting) => `${online} of ${all} online · ${running} running · ${waiting} waiting`,
  add: 'Add a machine…',
  connect: 'Connect with a string…',
  routingNote: '“Runs on: Automatic” chooses the machine that would finish first. ',
  routingLink: 'See where each kind of work runs',
}

const routing = {
  title: 'Runs on',
  target: 'Run work on',
  automatic: 'Automatic (fastest)',
  /** @param {string} name @param {string} why */
  unavailable: (name, why) => `${name} (${why})`,
  showFor: 'Show routing for',
  /** @param {string} name */
  runningOn: (name) => `Running on ${name}`,
  fastest: 'the fastest machine',
  thisMachine: 'this machine',
  saved: 'Saved.',
  operations: /** @type {[string, string][]} */ ([
    ['', 'Anything'],
    ['tts', 'Speech'],
    ['audiobook', 'Audiobooks'],
    ['dub', 'Dubbing'],
    ['clone', 'Voice cloning'],
    ['asr', 'Transcription'],
    ['dictation', 'Dictation'],
    ['diarize', 'Speaker detection'],
    ['identify', 'Language detection'],
    ['translate', 'Translation'],
  ]),
}

const list = {
  find: 'Find a machine',
  findExample: 'Name, device, address',
  state: 'State',
  /** @param {number} count */
  all: (count) => `All (${count})`,
  /** @param {string} state @param {number} count */
  stateCount: (state, count) => `${state} (${count})`,
  /** @param {number} found @param {number} all */
  shown: (found, all) => (found === all ? shared.plural(all, 'machine', 'machines') : `${found} of ${all} machines`),
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

const security = {
  title: 'Certificate authority',
  intro:
    'It signs the certificates of all machines, which prove who they are. Compare its fingerprint with the one that a machine shows when it joins.',
  fingerprint: 'Fingerprint',
  next: 'Next one',
  previous: 'Previous one',
  validUntil: 'Valid until',
  phases: { steady: 'In use', prepared: 'Replacement prepared', activated: 'Replacement in use' },
  behind: 'Still use the previous certificate',
  mustJoinAgain: 'Must join again',
  replace: 'Replace the authority',
  steps: {
    prepare:
      'Replace it when its key may have been disclosed, or when it expires soon. Step 1 creates the next one; all machines learn of it.',
    activate: 'Step 2 uses the next one for new certificates. Older codes and certificates stay valid.',
    retire: 'Step 3 ends the previous one. It waits until every machine has a new certificate.',
  },
  actions: { prepare: 'Prepare the next one', activate: 'Use the next one', retire: 'Retire the previous one…' },
  done: {
    prepare: 'The next authority is prepared.',
    activate: 'The next authority is in use.',
    retire: 'The previous authority is retired.',
  },
  retireTitle: 'Retire the previous authority?',
  retireYes: 'Retire',
  retireWarning: "Certificates and codes of the previous authority stop working. You can't undo this.",
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
  neverConnected: "It hasn't connected yet. Its owner starts it with: ./studio agent",
  offline: 'Offline. Its owner starts it with: ./studio agent. Last connected',
  unresponsive: "It's connected but not responding. Check its log.",
  /** @param {number} count */
  draining: (count) => (count > 0 ? `Draining: it finishes ${tasks(count)} and takes no new ones.` : 'Draining: it takes no new tasks.'),
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
    'shutting down': 'the machine is draining',
  },
}

const dialogs = {
  approveTitle: 'Approve this machine?',
  approveBefore: 'If you approve ',
  approveAfter: ', the studio sends it what its tasks need:',
  sent: [
    ['texts', ' to be spoken or translated,'],
    ['audio', ' to be transcribed or processed,'],
    ['voices', ' that are used: their samples and descriptions.'],
  ],
  destinationBefore: 'The data goes to ',
  destinationKey: ', to the machine with the key ',
  destinationAfter: '. The connection is encrypted.',
  unknownAddress: 'an address that is known once it connects',
  approveWarning: 'The owner of that machine can read it, listen to it and keep it.',
  approveAdvice: ' Approve a machine only if you trust its owner with your data.',
  approveNote:
    'You can withdraw the approval at any time. Its tasks are then stopped and their data is deleted there, but copies that the owner made before stay with them.',
  notNow: 'Not now',
  approve: 'Approve',
  useQuestion: 'How will it be used?',
  uses: { automatic: 'Automatically', chosen: 'Only when chosen' },
  useHints: {
    automatic: 'Work runs on the machine that finishes it first: this one, or any that you approved.',
    chosen: 'Nothing changes now. Choose it under "Run work on" when you want to use it.',
  },
  endsAutomatic: 'Work then runs on this machine until you choose another one under "Run work on".',
  /** @param {string} name @param {'automatic' | 'chosen'} use */
  approved: (name, use) =>
    use === 'automatic' ? `${name} is approved and gets work automatically.` : `${name} is approved. Choose it when you want to use it.`,

  changeTitle: 'Rename or set priority',
  name: 'Name',
  nameHint: 'At most 120 characters. If it is empty, the key is shown instead.',
  priority: 'Priority, 0 to 100',
  priorityHint: 'When two machines would finish at the same time, the one with the higher priority gets the work. The default is 50.',
  saved: 'Saved.',

  withdrawTitle: 'Withdraw the approval?',
  withdraw: 'Withdraw',
  withdrawBefore: 'The studio stops sending data to ',
  withdrawAfter: '. Its tasks are stopped, their data is deleted there, and they run elsewhere.',
  withdrawn: 'The approval is withdrawn.',

  releaseTitle: 'Release this machine?',
  release: 'Release',
  quarantined: ' is quarantined:',
  alreadyReleased: 'It is already released.',
  releaseWarning: 'Release it only when you are sure that one machine alone has its key. The next machine that uses the key is accepted.',
  released: 'The machine is released.',

  removeTitle: 'Remove this machine?',
  remove: shared.remove,
  removeBefore: 'The key of ',
  removeAfter: ' is revoked and the machine is disconnected. Its tasks run elsewhere.',
  removeWarning: "It can't come back with this key. To use it again, add it with a new code.",
  removed: 'The machine is removed.',

  logTitle: 'Log of this machine',
  logNote: ': newest lines, oldest first. Secrets and texts of tasks are left out.',
  logLines: 'Lines of the log',
  logEmpty: 'The log is empty.',
  refresh: 'Refresh',

  goneTitle: 'This machine is gone',
  gone: 'It was removed, or remote machines were turned off.',
}

/** @type {Readonly<Record<string, string>>} */
const work = { tts: 'Speech', asr: 'Transcription', clean: 'Noise removal', translate: 'Translation', separate: 'Voice separation' }

export const strings = { page, routing, list, table, use, card, security, reasons, dialogs }
