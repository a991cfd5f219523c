// @ts-check
// Tools: small things that need no project. Each has an address of its own.
import { html } from '../../lib/html.js'
import { Icon } from '../../look/icons.js'
import { Batch } from './batch.js'
import { Convert } from './convert.js'
import { Detect } from './detect.js'
import { strings } from './strings.js'
import { Subtitles } from './subtitles.js'

/** @import { FunctionComponent } from 'preact' */
/** @import { PageProps } from '../../app.js' */
/** @import { IconName } from '../../look/icons.js' */
/** @typedef {keyof typeof strings.tools} ToolName */

/** In the order of the list. @type {Readonly<Record<ToolName, { view: FunctionComponent, icon: IconName, tint: number }>>} */
const TOOLS = {
  'detect-mark': { view: Detect, icon: 'search', tint: 1 },
  convert: { view: Convert, icon: 'again', tint: 5 },
  subtitles: { view: Subtitles, icon: 'captions', tint: 4 },
  batch: { view: Batch, icon: 'film', tint: 3 },
}
/** @param {string} name @returns {name is ToolName} */
const isTool = (name) => Object.hasOwn(TOOLS, name)

/** @param {Pick<PageProps, 'address'>} props */
export function Tools({ address: { object } }) {
  if (!isTool(object))
    return html`<nav class="tiles tools" aria-label=${strings.title}>${Object.entries(TOOLS).map(([name, { icon, tint }]) => {
      const [title, detail] = strings.tools[/** @type {ToolName} */ (name)]
      return html`<a key=${name} href=${`#/tools/${name}`}><span class=${`kind big k${tint}`}><${Icon} of=${icon} isLarge /></span><span><b>${title}</b><small>${detail}</small></span></a>`
    })}</nav>`
  const [title, detail] = strings.tools[object]
  return html`<div class="tool"><a class="back" href="#/tools">${strings.all}</a><h2>${title}</h2><p class="soft">${detail}</p><${TOOLS[object].view} /></div>`
}
