// @ts-check
// The words of the Models page.
import { strings as shared } from '../../lib/strings.js'

export const strings = {
  views: 'Views',
  tabs: { '': 'Installed', recommended: 'Recommended', all: 'All' },
  installed: 'Installed models',
  none: 'No models are installed. The basic voice works without one.',
  seeRecommended: 'See what is recommended',
  loaded: 'In memory',
  noneLoaded: 'No model is in memory. One is loaded with the first work that needs it.',
  unload: 'Unload',
  /** @param {string} name */
  unloadOf: (name) => `Unload ${name}`,
  unloaded: 'The model is no longer in memory.',
  stays: 'The model stays in memory.',
  /** @param {string} device @param {string} size */
  onDevice: (device, size) => (size ? `${device} · ${size}` : device),
  /** @param {number} count @param {string} size @param {string} free */
  summary: (count, size, free) => [shared.plural(count, 'model', 'models'), size, free && `${free} free`].filter(Boolean).join(' · '),
}
