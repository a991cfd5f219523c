// The words of the views and dialogs that the Machines page opens.
import { grouped } from '../language.ts'
import { strings as shared } from '../shared.ts'

const routing = {
  title: 'Runs on',
  target: 'Run work on',
  automatic: 'Automatic (fastest)',
  unavailable: (name: string, why: string) => `${name} (${why})`,
  showFor: 'Show routing for',
  runningOn: (name: string) => `Running on ${name}`,
  fastest: 'the fastest machine',
  thisMachine: 'this machine',
  saved: 'Saved.',
  where: 'Where work goes now',
  operations: [
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
  ] as [string, string][],
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
  approved: (name: string, use: 'automatic' | 'chosen') =>
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

/** A pool beside the table, and in the question before its approval. */
const pool = {
  notKnown: 'Not known',
  readsNot: 'Nothing, says the operator',
  keepsNothing: 'Nothing after a job, says the operator',
  operator: 'Operator',
  location: 'Location',
  canDo: 'Can do',
  canRead: 'Can read',
  keeps: 'Keeps',
  reads: 'Text, samples and sound that you send',
  declared: "Its operator declares this. The studio can't check it.",
  share: 'Your share',
  atOnce: 'At the same time',
  wait: 'Wait, usually',
  slots: 'Places',
  you: (count: number) => `You ${grouped(count)}`,
  others: (count: number) => `Others ${grouped(count)}`,
  free: (count: number) => `Free ${grouped(count)}`,
  studios: (count: number) => `Studios at work: ${grouped(count)}`,
  older: (count: number) => `Older versions: ${grouped(count)}`,
}

export const strings = { routing, security, dialogs, pool }
