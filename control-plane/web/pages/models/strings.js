// @ts-check
// The words of the Models page.
import { isolated } from '../../lib/format.js'
import { strings as shared } from '../../lib/strings.js'

export const strings = {
  views: 'Views',
  tabs: { '': 'Installed', recommended: 'Recommended', all: 'All' },
  installed: 'Installed models',
  none: 'No models are installed. The embedded voice Heart speaks English without one.',
  seeRecommended: 'See what is recommended',
  loaded: 'In memory',
  noneLoaded: 'No model is in memory. One is loaded with the first work that needs it.',
  own: 'Your own files',
  ownFiles: 'Files of a model',
  dropModel: 'Drop the files of a model here: a voice with its configuration, or a zip file.',
  chooseFiles: 'Choose files',
  ownKinds: 'Piper, Kokoro, KittenTTS, Supertonic, Whisper and dictation models as ONNX. They stay on this machine.',
  adding: 'Adding the model…',
  /** @param {string} name */
  checking: (name) => `${isolated(name)} is added. It is being checked…`,
  /** @param {string} name */
  added: (name) => `${isolated(name)} is added and works.`,
  differs: 'The model is added, but these checks differ. You can remove it above.',
  /** @param {number} most */
  tooManyFiles: (most) => `Choose 1 to ${most} files. A model with more of them can be added as a zip file.`,
  noFolder: 'A folder cannot be dropped. Choose its files, or drop a zip file of it.',
  found: 'Found on this machine',
  foundNote: 'Other programs have downloaded these. A copy is made, so that they may change or delete theirs.',
  /** @param {string} size @param {number} files */
  foundFacts: (size, files) => `${size} · ${shared.plural(files, 'file', 'files')}`,
  copy: 'Copy',
  unload: 'Unload',
  preload: 'Preload',
  preloaded: 'The model is in memory. Speech now starts sooner.',
  inMemory: 'In memory',
  makeDefault: 'Make default',
  defaults: { tts: 'Default for speech', asr: 'Default for transcription' },
  /** @param {string} name */
  chosen: (name) => `${isolated(name)} is the default now.`,
  /** @param {string} action @param {string} name */
  of: (action, name) => `${action}: ${name}`,

  seeModels: 'See available models',
  /** @param {string} name @param {string} size */
  installVoice: (name, size) => `Install ${name} (${size})`,
  /** @param {string} name @param {string} share */
  installing: (name, share) => `Downloading ${name}${share && `, ${share}`}.`,
  show: 'Show',
  /** @param {string} name */
  useVoice: (name) => `Use ${name}`,
  /** @param {string} name */
  speaksNow: (name) => `${name} speaks from now on.`,

  downloads: 'Downloads',
  starting: 'Starting…',
  /** @param {string} name */
  progressOf: (name) => `Download of ${name}`,
  /** @param {string} name */
  cancelOf: (name) => `Cancel: ${name}`,
  next: 'Download next',
  /** @param {string} name */
  nextOf: (name) => `Download next: ${name}`,
  /** @param {string} done @param {string} total */
  arrived: (done, total) => `${done} of ${total}`,
  /** @param {number} before @param {string} size */
  waits: (before, size) => `Waiting, ${before === 1 ? 'next' : `${before} before it`} · ${size}`,
  /** @param {string} rate */
  rate: (rate) => `${rate}/s`,
  /** @param {string} time */
  left: (time) => `about ${time} left`,
  /** @param {number} count @param {string} missing @param {string} rate @param {string} time */
  queue: (count, missing, rate, time) =>
    [shared.plural(count, 'model', 'models'), `${missing} to come`, rate, time].filter(Boolean).join(' · '),
  unloaded: 'The model is no longer in memory.',
  stays: 'The model stays in memory.',
  /** @param {string} device @param {string} size */
  onDevice: (device, size) => [device === 'cpu' ? 'CPU' : device, size].filter(Boolean).join(' · '),
  /** @param {number} count @param {string} size @param {string} free */
  summary: (count, size, free) => [shared.plural(count, 'model', 'models'), size, free && `${free} free`].filter(Boolean).join(' · '),
}
