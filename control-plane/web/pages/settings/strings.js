// @ts-check
// The words of the Settings page.
import { strings as shared } from '../../lib/strings.js'
import { rows } from './row-strings.js'

/** @import { GroupName } from './sections.js' */

export const strings = {
  list: 'Settings',
  search: 'Find a setting',
  nothingFound: 'No setting has these words.',
  sections: {
    general: 'General',
    engines: 'Engines and models',
    pronunciation: 'Pronunciation',
    translation: 'Translation',
    dictation: 'Dictation',
    api: 'API',
    storage: 'Storage',
    privacy: 'Privacy',
    access: 'Access',
    doctor: 'Doctor',
    about: 'About',
  },
  /** Heading and one sentence. @type {Readonly<Record<GroupName, readonly [string, string]>>} */
  groups: {
    takes: ['Takes and downloads', 'What is kept, and what may be loaded.'],
    network: ['Network', 'For machines that reach the Internet through a proxy, and for ports that are in use.'],
    families: ['Engines', 'Those that can run here now.'],
    device: ['Device', 'What the engines calculate on.'],
    hub: ['Model downloads', 'The server that models come from.'],
    dictionary: ['Pronunciation', 'How names and terms are spoken, everywhere in the studio.'],
    providers: ['Language model', 'Optional: for better translations and polished texts. Nothing is sent before one is set up.'],
    skills: ['What the language model is used for', 'Each use can be turned off.'],
    services: ['Translation services', 'Optional. Without one, translations are made on this machine.'],
    dictation: ['Dictation', 'Text from the microphone.'],
    refinement: ['Refinement', 'A language model can polish dictated text.'],
    mcp: ['Assistants', 'Programs that speak the Model Context Protocol.'],
    examples: ['Use it from a program', 'The API has the form of the OpenAI audio API, and more.'],
    disk: ['Disk', 'What the studio keeps on this machine.'],
    limits: ['Limits', 'How much each kind of file may use.'],
    marks: ['Marks of synthetic speech', 'What shows that a voice is synthetic.'],
    sent: [
      'What is sent',
      'Voice Studio has no analytics and sends nothing about you. Work goes to machines that you approved, and texts to the services that you set up.',
    ],
    sharing: ['Other devices', 'Phones and computers in your network can use this studio.'],
    hosted: ['Hosted voice library', 'Voices that you keep on a server of your own.'],
    checks: ['Self-check', 'Whether everything that the studio needs is here.'],
    log: ['Log', 'What the studio recorded, without texts and keys.'],
    releases: ['About Voice Studio', 'The version and its changes.'],
  },
  rows,
  choices: {
    auto: 'Automatic',
    cuda: 'NVIDIA (CUDA)',
    rocm: 'AMD (ROCm)',
    xpu: 'Intel (XPU)',
    mps: 'Apple (Metal)',
    cpu: 'Processor only',
    toggle: 'Press once',
    hold: 'Hold',
  },
  afterRestart: 'In effect after the next start.',
  /** @param {number} count */
  restart: (count) => `Restart the studio to apply ${shared.plural(count, 'change', 'changes')}.`,
  pinned: 'Set by the environment',
  automatic: 'Automatic',
  save: shared.save,
  saved: 'Saved.',
  undo: 'Undo',
  /** @param {string} name */
  undoOf: (name) => `Undo the change of ${name}`,
  reset: 'Use the default',
  /** @param {string} name */
  resetOf: (name) => `Use the default for ${name}`,
  isSet: 'Stored',
  notSet: 'Not set',
  clear: 'Remove',
  /** @param {string} name */
  clearOf: (name) => `Remove: ${name}`,

  engines: {
    families: { tts: 'Speech', asr: 'Transcription', llm: 'Language model' },
    /** @param {number} count */
    others: (count) => `${shared.plural(count, 'other engine needs', 'other engines need')} a model or another machine.`,
    seeModels: 'See models',
    noModel: 'No provider of language models is set up.',
    setUp: 'Set one up',
    dictationModel: 'Model for dictation',
    dictationHelp: 'Models that are not installed are downloaded before the first dictation.',
    /** @param {string} name @param {string} languages @param {string} size empty when it is installed */
    model: (name, languages, size) => `${name} · ${languages}${size && ` · download ${size} GB`}`,
  },
  hub: {
    server: 'Server',
    /** @param {string} url */
    serverNow: (url) => `Models come from ${url}.`,
    fastest: 'Automatic (fastest)',
    token: 'Token',
    tokenHelp: 'Only for models that require an account.',
    newToken: 'New token',
    /** @param {string} name */
    signedIn: (name) => (name ? `Signed in as ${name}` : 'Accepted'),
    notChecked: 'Not confirmed by the server',
    from: { app: 'Stored here:', env: 'From the environment:', 'hf-cli': 'From the sign-in of this machine:' },
  },
  dictionary: {
    /** Name and help. */
    types: {
      respelling: ['Respelling', 'Written as it should be spoken, for example "nyoo york". Every engine can speak it.'],
      ipa: ['IPA', 'Phonetic symbols. Engines that have no use for them speak the word as it is written.'],
      cmu: ['ARPAbet', 'Symbols of the CMU dictionary, for English.'],
    },
    term: 'Word or phrase',
    replacement: 'Spoken as',
    type: 'Kind',
    language: 'Language (* for all)',
    everyLanguage: 'all languages',
    add: 'Add',
    none: 'The dictionary is empty.',
    entries: 'Entries',
    find: 'Find an entry',
    /** @param {string} term */
    use: (term) => `Use ${term}`,
    /** @param {string} term */
    removeOf: (term) => `Remove ${term}`,
    /** @param {number} count */
    more: (count) => `${shared.plural(count, 'more entry', 'more entries')}. Search to find them.`,
    trial: 'Try a text',
    sample: 'Text',
    try: 'Show what engines receive',
  },
  providers: {
    choose: 'Provider',
    /** @param {string} name */
    inUse: (name) => `${name} (in use)`,
    /** @param {string} name */
    ready: (name) => `${name} (set up)`,
    active: 'In use',
    local: 'Runs on this machine.',
    remote: 'Texts are sent to this service.',
    address: 'Address',
    model: 'Model',
    account: 'Account',
    key: 'Key',
    keyHint: 'Stored encrypted, and sent to this address only.',
    keyRemoved: 'Saved. The key was for another server and was removed.',
    test: 'Test',
    use: 'Use this one',
    /** @param {string} model @param {number} ms */
    answers: (model, ms) => `${model} answers in ${ms} ms.`,
  },
  disk: {
    categories: {
      hf_cache: 'Models',
      data: 'Projects, voices, takes',
      engine_venvs: 'Engines in Python',
      temp: 'Temporary files',
      outputs: 'Exports',
    },
    /** @param {string} size */
    atLeast: (size) => `${size} or more`,
    /** @param {string} free @param {string} total @param {string} path */
    free: (free, total, path) => `${free} of ${total} are free on the disk of ${path}.`,
    /** @param {string} path */
    models: (path) => `Models are in ${path}.`,
    modelsHelp: 'The command line moves them to another folder.',
    /** @param {string} when @param {string} size */
    backup: (when, size) => `Newest backup of the database: ${when}, ${size}.`,
    measure: 'Measure again',
    clear: 'Clear temporary files',
    /** @param {string} size */
    cleared: (size) => `Cleared. ${size} became free.`,
    /** @param {number} count */
    notCleared: (count) => `${shared.plural(count, 'file', 'files')} could not be removed.`,
  },
  sharing: {
    title: 'Share in the local network',
    help: 'Devices enter the PIN once. They can speak and transcribe, and cannot change settings. Sharing ends when the studio stops.',
    on: 'On',
    pin: 'PIN',
    turnOn: 'Share',
    turnOff: 'Stop sharing',
    tailscale: 'Tailscale',
    tailscaleHelp: 'Reach the shared studio from your tailnet.',
    tailscaleStopped: 'Tailscale is installed and not running.',
    tailscaleMissing: 'Tailscale is not installed on this machine.',
    tailnetOn: 'Share in the tailnet',
    tailnetEnd: 'Stop',
    tailnetOff: 'The studio is not in the tailnet any more.',
    /** @param {string} url */
    reachableAt: (url) => `Reachable at ${url}.`,
    failed: 'Tailscale refused.',
    key: 'An access key for other computers is set where the studio is started; the guide says how.',
  },
  examples: {
    language: 'Language',
    names: { curl: 'curl', python: 'Python', javascript: 'JavaScript' },
    code: {
      /** @param {string} origin */
      curl: (origin) =>
        `curl ${origin}/v1/audio/speech \\\n  -H 'Content-Type: application/json' \\\n  -d '{"model": "tts-1", "voice": "alloy", "input": "Good morning."}' \\\n  -o speech.mp3`,
      /** @param {string} origin */
      python: (origin) =>
        `from openai import OpenAI\n\nclient = OpenAI(base_url="${origin}/v1", api_key="local")\nwith client.audio.speech.with_streaming_response.create(\n    model="tts-1", voice="alloy", input="Good morning."\n) as response:\n    response.stream_to_file("speech.mp3")`,
      /** @param {string} origin */
      javascript: (origin) =>
        `const response = await fetch('${origin}/v1/audio/speech', {\n  method: 'POST',\n  headers: { 'Content-Type': 'application/json' },\n  body: JSON.stringify({ model: 'tts-1', voice: 'alloy', input: 'Good morning.' }),\n})\nconst sound = await response.arrayBuffer()`,
    },
    copy: 'Copy',
    copied: 'Copied.',
    reference: 'API reference',
  },
  doctor: {
    /** @param {number} failures @param {number} warnings */
    summary: (failures, warnings) => {
      const suggestions = warnings > 0 ? `, with ${shared.plural(warnings, 'suggestion', 'suggestions')}` : ''
      return failures > 0 ? `${shared.plural(failures, 'problem', 'problems')}${suggestions}` : `Ready${suggestions}`
    },
    states: { ok: 'passed', warn: 'suggestion', fail: 'problem' },
    fix: 'Fix',
    /** @param {string} name */
    fixOf: (name) => `Fix: ${name}`,
    again: 'Check again',
    deep: 'Test the voice too',
    bundle: 'Save a report',
    /** @param {string} path */
    bundleAt: (path) => `The report is in ${path}. It contains no texts, recordings or keys.`,
  },
  log: {
    show: 'Show the newest lines',
    again: 'Read again',
    clear: 'Clear the log',
    empty: 'The log is empty.',
    lines: 'Newest lines of the log',
  },
  about: {
    /** @param {string} version */
    version: (version) => `Version ${version}`,
    none: 'No changes are listed for this version.',
    /** @param {string} version @param {string} date */
    release: (version, date) => (date ? `${version} · ${date}` : version),
    reference: 'API reference',
  },
}
