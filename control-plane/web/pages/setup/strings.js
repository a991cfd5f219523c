// @ts-check
// The words of the Setup page.
import { COMMAND, strings as shared } from '../../lib/strings.js'

/** @param {number} count */
const models = (count) => shared.plural(count, 'model', 'models')

export const strings = {
  status: 'Status',
  preload: 'Preload',
  startSpeaking: 'Start speaking',
  preloaded: 'The voice is loaded. Speech now starts sooner.',
  offline: "You can't install models now. ",

  speech: 'Speech',
  transcription: 'Transcription',
  languageModel: 'Language model',
  languageModelOff: 'Not needed for speech or transcription.',
  voiceModels: 'Default voice',
  /** @param {string} names */
  missing: (names) => `It needs ${names}.`,
  audioFiles: 'Audio files (ffmpeg)',
  installFfmpeg: `The studio downloads no programs. Run ${COMMAND} setup, or install ffmpeg with the package manager, then restart the studio.`,
  restartForFfmpeg: 'ffmpeg was installed after the studio had started. Restart the studio to use it.',
  thisMachine: shared.thisMachine,
  noEngine: 'No engine is selected.',
  /** @param {number} count */
  alternatives: (count) => (count > 0 ? ` ${shared.plural(count, 'other engine is', 'other engines are')} available.` : ''),
  /** @param {string} name @param {string} device */
  runsOn: (name, device) => (device === 'cpu' ? `${name}, on the processor.` : `${name}, on ${device}.`),
  states: {
    ready: 'Ready',
    basic: 'Embedded voice',
    unavailable: 'Not available',
    off: 'Off',
    missing: 'Not installed',
    wavOnly: 'WAV only',
    gpu: 'GPU',
    cpu: 'CPU only',
  },
  /** @param {number} gb */
  gpuMemory: (gb) => `${gb} GB of GPU memory`,
  /** @param {string} size */
  memory: (size) => `${size} of memory`,
  /** @param {number} gb */
  freeDisk: (gb) => `${gb} GB of free disk space`,

  checks: 'Checks',
  checkAgain: 'Check again',
  checking: 'Checking… This can take a few seconds.',
  checkStates: { pass: 'OK', warn: 'Warning', fail: 'Failed' },
  /** @param {number} failed @param {number} all */
  checksFailed: (failed, all) => `${failed} of ${all} checks failed.`,
  /** @param {number} warnings */
  checksPassed: (warnings) => (warnings > 0 ? `Ready, with ${shared.plural(warnings, 'suggestion', 'suggestions')}` : 'Ready'),

  recommended: 'Recommended',
  recommendedTitle: 'Recommended for this machine',
  /** @param {number} count @param {string} size */
  installAll: (count, size) => `Install ${models(count)} (${size})`,
  allInstalled: 'All recommended models are installed.',
  allModels: 'All models',
  /** @param {number} installed @param {number} all @param {string} size */
  installedCount: (installed, all, size) => `${installed} of ${models(all)} installed, ${size} in total. `,
  onBorrowedMachine: 'This is the list of the machine that your work runs on.',
  folder: 'Folder: ',
  unpinnedNote: 'A model without a fixed version is downloaded as its authors publish it at that time.',
  find: 'Find a model',
  /** @param {number} count */
  found: (count) => `${models(count)} found`,
  noneFound: 'No matching models.',
  roles: {
    TTS: 'Speech',
    ASR: 'Transcription',
    Diarisation: 'Speaker detection',
    Separation: 'Voice separation',
    Translation: 'Translation',
    other: 'Other',
  },
  /** @param {string} role @param {number} count */
  roleCount: (role, count) => `${role} (${count})`,

  phases: {
    queued: 'Queued',
    downloading: 'Downloading',
    failed: 'Download failed',
    damaged: 'Checksum mismatch',
    installed: 'Installed',
    partly: 'Partly downloaded',
    none: 'Not installed',
  },
  queuedBehind: (/** @type {number} */ before) => `Starts after ${shared.plural(before, 'other download', 'other downloads')}.`,
  defaultVoice: 'Needed for the default voice',
  /** @param {string} size */
  onDisk: (size) => `${size} on disk`,
  /** @param {string} size */
  toDownload: (size) => `${size} download`,
  /** @param {string} size */
  memoryUse: (size) => `${size} of memory`,
  /** @param {string} licence */
  licence: (licence) => `licence ${licence}`,
  unpinned: 'no fixed version',
  addedFromFiles: 'added from files, not verified against a publisher',
  cannotInstall: "You can't install it here. ",
  /** @param {readonly string[]} platforms */
  otherPlatform: (platforms) => `It runs on ${platforms.join(', ')} only.`,
  unsupported: "Its engine doesn't run on this machine, or the agent has another version.",
  /** @param {string} needed @param {string} free */
  diskTooSmall: (needed, free) => `It needs ${needed} GB and ${free} GB are free. Free some disk space first.`,
  manageStorage: 'Manage storage',
  modelServer: 'Check the token and the model server',
  /** @param {number} count */
  showUnsupported: (count) => `Show ${count} that don't run here`,
  hideUnsupported: "Hide those that don't run here",
  /** @param {number} reserve */
  diskReserve: (reserve) => `It would leave less than ${reserve} GB of free disk space, so the installation may be refused.`,
  /** @param {string} memory */
  memoryTooSmall: (memory) => `It needs more memory than this machine has (${memory}).`,
  /** @param {'none' | 'partly' | 'failed' | 'damaged'} phase @param {string} size what is still to be downloaded */
  install: (phase, size) =>
    `${{ none: 'Install', partly: 'Resume download', failed: 'Try again', damaged: 'Download again' }[phase]} (${size})`,
  /** @param {string} action @param {string} label @param {string} id */
  actionFor: (action, label, id) => `${action}: ${label}, ${id}`,
  /** @param {string} label */
  progressOf: (label) => `Download of ${label}`,
  /** @param {string} done @param {string} total @param {number} files @param {number} allFiles */
  progress: (done, total, files, allFiles) => `${done} of ${total}, ${files} of ${allFiles} files`,
  /** @param {string} rate */
  rate: (rate) => `, ${rate}/s`,
  /** @param {string} time */
  remaining: (time) => `, about ${time} left`,
  elsewhere: ' (on another machine)',
  waiting: 'Waiting for progress…',
  starting: 'Starting…',
  planning: 'Reading the list of files…',
  /** @param {number} attempt @param {string} error */
  retrying: (attempt, error) => `Attempt ${attempt} failed: ${error}. Trying again.`,

  licenceTitle: 'A licence with conditions',
  licenceBefore: 'It is published under ',
  licenceAfter: ", which restricts what you may use it for. Read it on the model's page before you use what you make with it:",
  cardTitle: 'The licence of this voice',
  cardNote: 'The publisher of this voice wrote the following card. Read what it says about the licence before you install the voice.',
  accept: 'Accept and install',
  removeTitle: 'Remove this model?',
  /** @param {string} size */
  removeWarning: (size) => `This frees ${size}. To use the model again, you have to download it again.`,
}
