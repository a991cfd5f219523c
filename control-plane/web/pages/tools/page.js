// @ts-check
// Tools: small things that need no project. Each has an address of its own.
import { html } from '../../lib/html.js'
import { whenOpened } from '../../lib/later.js'
import { Icon } from '../../look/icons.js'
import { strings } from './strings.js'

/** @import { FunctionComponent } from 'preact' */
/** @import { PageProps } from '../../app.js' */
/** @import { IconName } from '../../look/icons.js' */
/** @typedef {keyof typeof strings.tools} ToolName */

/** In the order of the list. @type {Readonly<Record<ToolName, { View: FunctionComponent<{}>, icon: IconName, tint: number }>>} */
const TOOLS = {
  'detect-mark': { ...whenOpened(() => import('./detect.js').then((module) => module.Detect)), icon: 'search', tint: 1 },
  convert: { ...whenOpened(() => import('./convert.js').then((module) => module.Convert)), icon: 'again', tint: 5 },
  subtitles: { ...whenOpened(() => import('./subtitles.js').then((module) => module.Subtitles)), icon: 'captions', tint: 4 },
  batch: { ...whenOpened(() => import('./batch.js').then((module) => module.Batch)), icon: 'film', tint: 3 },
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
  return html`<div class="tool"><a class="back" href="#/tools">${strings.all}</a><h2>${title}</h2><p class="soft">${detail}</p><${TOOLS[object].View} /></div>`
}
