// @ts-check
// The words of the Jobs page.
import { strings as frame } from '../../frame/strings.js'
import { grouped, strings as shared } from '../../lib/strings.js'

/** @param {number} count */
const tasks = (count) => shared.plural(count, 'job', 'jobs')

export const strings = {
  tasks: 'Jobs',
  work: 'On machines',
  views: 'Views',
  /** @type {Readonly<Record<string, string>>} */
  statuses: { all: 'All', active: 'Active', done: 'Done', failed: "Couldn't finish", cancelled: 'Cancelled' },
  jobStates: { pending: 'Waiting', running: 'Running', done: 'Done', failed: "Couldn't finish", cancelled: 'Cancelled' },
  jobColumns: { job: 'Job', state: 'State', progress: 'Progress', when: 'When' },
  jobKind: frame.kind,
  kind: 'Kind',
  allKinds: 'All kinds',
  findJob: 'Find a job',
  /** @param {number} count */
  found: (count) => tasks(count),
  showAll: 'Show all jobs',
  noJobs: 'Nothing running. What you make appears here.',
  noReason: 'It ended without a reason.',
  /** @param {string} time */
  took: (time) => `Took ${time}`,
  /** @param {string} name @param {number} at @param {number} of */
  step: (name, at, of) => (of > 1 ? `Step ${at} of ${of}: ${name}` : name),
  backToJobs: 'All jobs',
  openResult: 'Open',
  copyDetails: 'Copy details',
  copied: 'Details copied.',
  times: 'Times',
  begun: 'Started',
  endedAt: 'Ended',
  /** @param {number} count */
  events: (count) => `Newest events (${count})`,
  show: 'Show',
  groups: { all: 'All', waiting: 'Waiting', running: 'Running', done: 'Done', failed: 'Failed or cancelled' },
  find: 'Find',
  findExample: 'Engine, machine, error, id',
  /** @param {number} waiting @param {string} count */
  status: (waiting, count) => `${waiting} waiting. ${count}`,
  /** @param {number} count @param {boolean} isSearch @param {boolean} isComplete */
  count: (count, isSearch, isComplete) => `${isSearch ? `${tasks(count)} found` : tasks(count)}${isComplete ? '.' : ', and older ones.'}`,
  none: 'No jobs yet. What you make appears here.',
  noneFound: 'No matching jobs.',
  showOlder: 'Show older jobs',
  searchOlder: 'Search older jobs',
  refusedBefore: "This page can't follow changes: ",
  refusedAfter: ' It refreshes now and then, and tries again by itself.',
  readError: "Couldn't load the jobs: ",

  states: {
    queued: 'Waiting',
    assigned: 'Offered to a machine',
    accepted: 'Accepted',
    model_loading: 'Loading the model',
    running: 'Running',
    result_uploading: 'Delivering',
    completed: 'Done',
    failed: 'Failed',
    timeout: 'Timed out',
    cancelled: 'Cancelled',
  },
  /** @type {Readonly<Record<string, string>>} */
  attemptStates: {
    assigned: 'offered',
    accepted: 'accepted',
    running: 'running',
    uploading: 'delivering',
    committed: 'done',
    rejected: 'declined',
    failed: 'failed',
    timed_out: 'timed out',
    cancelled: 'cancelled',
    lost: 'connection lost',
  },
  /** @type {Readonly<Record<string, string>>} */
  operations: {
    ...{ tts: 'Speech', asr: 'Transcription', translate: 'Translation', separate: 'Voice separation', denoise: 'Noise removal' },
    ...{ vad: 'Speech detection', align: 'Times of words', diarize: 'Speaker detection', identify: 'Language detection' },
    ...{ verify: 'Check of a model', probe: 'Probe' },
  },
  /** @param {string} operation @param {string} engine @param {string} model */
  title: (operation, engine, model) => `${operation} with ${engine}${model && ` (${model})`}`,
  lowPriority: 'Low priority',
  /** @param {string} title @param {string} started */
  cancelTask: (title, started) => `Cancel ${title}, started ${started}`,
  cancelTitle: 'Cancel this job?',
  cancelAction: 'Cancel job',
  cancelKeep: 'Keep running',
  cancelWarning: 'What it has generated so far is discarded.',
  cancelling: 'Cancelling the job.',
  thisMachine: 'this machine',
  on: 'on ',
  /** @param {string} title @param {string} percent */
  progress: (title, percent) => `${title}: ${percent}`,
  /** @param {string} finished @param {string} took */
  ended: (finished, took) => `${finished}, took ${took}`,
  unknownEnd: 'Time left unknown',
  almostDone: 'Almost done',
  /** @param {string} time */
  timeLeft: (time) => `about ${time} left`,
  waitingBecause: "Why it's waiting:",
  aboutToStart: 'It will be offered to a machine in a moment.',
  /** @param {number} count */
  andMore: (count) => ` and ${count} more`,

  /** @param {number} count @param {number} limit @param {number} failed */
  attempts: (count, limit, failed) => `Attempt ${count} of ${limit}${failed > 0 ? `, ${failed} failed` : ''}`,
  taskId: 'Task ',
  /** @param {string} percent */
  reached: (percent) => ` at ${percent}`,
  details: 'Details',
  /** @param {string} code @param {string} kind */
  errorCode: (code, kind) => `${code}, class ${kind}`,
  retryable: 'A new attempt may succeed.',
  final: "A new attempt won't help.",
  whatToDo: 'What to do: ',

  activity: 'Activity',
  finishedPerMinute: 'finished per minute',
  peakWaiting: 'peak waiting',
  /** @param {number} minutes @param {number} done @param {number} failed @param {number} waiting */
  summary: (minutes, done, failed, waiting) =>
    `Last ${minutes === 1 ? 'minute' : `${minutes} minutes`}: ${grouped(done)} done, ${grouped(failed)} failed or cancelled, at most ${waiting} waiting.`,
  asTable: 'Show as table',
  table: 'Activity as a table',
  columns: ['Minute', 'Done', 'Failed or cancelled', 'Peak waiting'],
}
