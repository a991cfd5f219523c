// The words of the Models page.
import { isolated } from '#control-plane/web/lib/format.ts'
import { strings as shared } from '#control-plane/web/lib/strings.ts'

export const strings = {
  views: 'Views',
  tabs: { '': 'Installed', recommended: 'Recommended', all: 'All' },
  installed: 'Installed models',
  none: 'No models are installed. The embedded voice Heart speaks English without one.',
  seeRecommended: 'See what is recommended',
  loaded: 'In memory',
  noneLoaded: 'No model is in memory. One is loaded with the first work that needs it.',
  unload: 'Unload',
  preload: 'Preload',
  preloaded: 'The model is in memory. Speech now starts sooner.',
  inMemory: 'In memory',
  makeDefault: 'Make default',
  defaults: { tts: 'Default for speech', asr: 'Default for transcription' },
  chosen: (name: string) => `${isolated(name)} is the default now.`,
  of: (action: string, name: string) => `${action}: ${name}`,

  seeModels: 'See available models',
  installVoice: (name: string, size: string) => `Install ${name} (${size})`,
  installing: (name: string, share: string) => `Downloading ${name}${share && `, ${share}`}.`,
  show: 'Show',
  useVoice: (name: string) => `Use ${name}`,
  speaksNow: (name: string) => `${name} speaks from now on.`,

  downloads: 'Downloads',
  starting: 'Starting…',
  progressOf: (name: string) => `Download of ${name}`,
  cancelOf: (name: string) => `Cancel: ${name}`,
  next: 'Download next',
  nextOf: (name: string) => `Download next: ${name}`,
  arrived: (done: string, total: string) => `${done} of ${total}`,
  waits: (before: number, size: string) => `Waiting, ${before === 1 ? 'next' : `${before} before it`} · ${size}`,
  rate: (rate: string) => `${rate}/s`,
  left: (time: string) => `about ${time} left`,
  queue: (count: number, missing: string, rate: string, time: string) =>
    [shared.plural(count, 'model', 'models'), `${missing} to come`, rate, time].filter(Boolean).join(' · '),
  unloaded: 'The model is no longer in memory.',
  stays: 'The model stays in memory.',
  onDevice: (device: string, size: string) => [device === 'cpu' ? 'CPU' : device, size].filter(Boolean).join(' · '),
  summary: (count: number, size: string, free: string) =>
    [shared.plural(count, 'model', 'models'), size, free && `${free} free`].filter(Boolean).join(' · '),
}
