// @ts-check
// The words of the sections that connect machines: add, connect, share and lend.
import { COMMAND, strings as shared } from '../../lib/strings.js'

const add = {
  title: 'Add a machine',
  intro: 'The other machine connects to this studio with a code that works once. It needs no open port.',
  name: 'Name of the machine',
  nameHint: 'The name shown here. You can change it later.',
  address: 'Address of this studio',
  /** @param {string} endpoint */
  detected: (endpoint) => `${endpoint} (detected)`,
  /** @param {string} host */
  fromPage: (host) => `${host} (address of this page)`,
  other: 'Another address…',
  otherLabel: 'Another address',
  otherHint: 'HOST or HOST:PORT, for example of a router that forwards the port.',
  validFor: 'Valid for',
  times: /** @type {[number, string][]} */ ([
    [300, '5 minutes'],
    [900, '15 minutes'],
    [3600, '1 hour'],
    [86_400, '1 day'],
  ]),
  create: 'Create code',
  createAnother: 'Create another code',
  code: 'Join code',
  codeBefore: 'The code works once and connects to ',
  codeTime: '. Time left: ',
  expired: 'none, it has expired',
  onOther: 'On the other machine',
  step1Before: 'In the folder of Voice Studio, run ',
  step1After: ', paste the code and press Enter. This way the code stays out of the shell history.',
  step2: 'Then start it: ',
  waiting: 'Waiting for the machine. It appears here when it has joined.',
  codeExpired: 'The code has expired.',
  /** @param {boolean} isConnected */
  joined: (isConnected) =>
    isConnected ? ' has joined and is connected.' : ` has joined. It connects when its agent runs: ${COMMAND} agent`,
  approved: "It's approved.",
  notApproved: 'Nothing is sent there until you approve it.',
  approve: 'Approve…',
}

const secret = {
  copy: 'Copy',
  copied: 'Copied.',
  selected: 'Selected. Copy it with your keyboard.',
  once: "You won't see this again.",
  /** @param {string} label */
  qr: (label) => `${label} as a QR code`,
}

const connect = {
  title: 'Connect to a GPU machine',
  intro: `For a machine that accepts connections. Its owner creates a connection string for you on its Machines page, or with ${COMMAND} agent keys add.`,
  remoteOff: 'Turn on remote machines first.',
  string: 'Connection string',
  stringHint: 'Keep it secret. It belongs to the first studio that uses it.',
  connect: 'Connect',
  /** @param {string} endpoint */
  connecting: (endpoint) => `Connecting to ${endpoint}.`,
  connections: 'Connections',
  connected: 'Connected',
  notConnected: 'Not connected',
  remove: shared.remove,
  /** @param {string} endpoint */
  removeOne: (endpoint) => `Remove the connection to ${endpoint}`,
  removeTitle: 'Remove this connection?',
  removeWarning: 'The studio disconnects from it and removes the machine. To use it again, you need a new connection string.',
  removed: 'The connection is removed.',
}

const share = {
  title: 'Share this machine',
  intro: 'Other studios connect to this machine and use its GPU. Each person gets a key.',
  on: 'On',
  off: 'Off',
  listeningOn: 'Listening on ',
  /** @param {boolean} isExposed */
  reach: (isExposed) =>
    isExposed ? '. Other machines can reach it, but only a key gives access.' : '. Only programs on this machine can reach it.',
  /** @param {string} reason */
  startError: (reason) => `Couldn't start listening: ${reason}`,
  address: 'Address to listen on',
  addressHint: '127.0.0.1: only programs on this machine. 0.0.0.0: every machine that can reach this one.',
  port: 'Port',
  start: 'Start sharing',
  change: 'Change address',
  stop: 'Stop sharing',
  started: 'This machine is shared.',
  stopped: "This machine isn't shared any more.",
  keys: 'Keys',
  newKey: 'New key…',
  noKeys: 'No keys yet.',
  keyTitle: 'New key',
  person: 'Person',
  personHint: 'At most 64 characters.',
  createKey: 'Create key',
  keyFor: 'For ',
  keyForOne: ' only. The key belongs to the first studio that uses it.',
  string: 'Connection string',
  localOnly: 'Only programs on this machine can use it now. To let others connect, listen on 0.0.0.0 or on a network address.',
  state: 'State',
  lastSeen: 'Last seen',
  actions: 'Actions',
  keyStates: { revoked: 'Revoked', connected: 'Connected', unused: 'Not used yet', away: 'Not connected' },
  revoke: 'Revoke',
  /** @param {string} name */
  revokeOne: (name) => `Revoke the key of ${name}`,
  revokeTitle: 'Revoke this key?',
  revokeBefore: 'The access of ',
  revokeAfter: " ends now, and their tasks are stopped. You can't undo this.",
  revoked: 'The key is revoked.',
  connected: 'Connected',
  noSessions: 'No one is connected.',
  /** @param {string} peer */
  from: (peer) => ` from ${peer}, since `,
  /** @param {number} count */
  tasksRun: (count) => `, ${shared.plural(count, 'task', 'tasks')} run`,
  disconnect: 'Disconnect',
  /** @param {string} name */
  disconnectOne: (name) => `Disconnect ${name}`,
  disconnected: 'Disconnected. The studio can connect again after a minute. Revoke its key to keep it out.',
  /** @param {number} count */
  events: (count) => `Connection log (${count})`,
  someone: 'Someone',
  /** @param {string} peer @param {string} what @param {string} detail */
  event: (peer, what, detail) => ` from ${peer} ${what}${detail && `: ${detail}`}`,
  eventKinds: { connected: 'connected', disconnected: 'disconnected', kicked: 'was disconnected', rejected: 'was refused' },
}

const lend = {
  title: 'Lend with a join code',
  section: 'Lend this machine',
  states: { none: 'Not joined', off: 'Off', finishing: 'Finishing', lending: 'Lending', searching: 'Not connected', unknown: 'Unknown' },
  none: "This machine hasn't joined another studio.",
  /** @param {string} studio */
  off: (studio) => `It has joined ${studio} and lends nothing now.`,
  /** @param {string} studio @param {number} held */
  finishing: (studio, held) => `It finishes ${shared.plural(held, 'task', 'tasks')} for ${studio} and takes no new ones.`,
  /** @param {string} studio @param {number} held */
  lending: (studio, held) => `It lends to ${studio} and runs ${shared.plural(held, 'task', 'tasks')} now.`,
  /** @param {string} studio */
  searching: (studio) => `Connecting to ${studio}.`,
  /** @param {string} name @param {string} endpoint */
  studioAt: (name, endpoint) => `${name || 'a studio'} at ${endpoint}`,
  /** @param {string} error */
  lastError: (error) => `Last problem: ${error}`,
  pinned: "The environment variable STUDIO_WORKER_MODE sets this. You can't change it here.",
  start: 'Start lending',
  stop: 'Stop lending',
  started: 'This machine is lending.',
  stopped: 'This machine has stopped lending.',
  join: 'Join and lend',
  joinAnother: 'Join another studio',
  joined: 'Joined. This machine is lending.',
  code: 'Join code of the other studio',
  codeHint: "Created on that studio's Machines page with Add a machine. This machine then works on what its users send.",
}

export const strings = { add, secret, connect, share, lend }
