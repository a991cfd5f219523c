// @ts-check
// Dub: a film or a recording in another language. Without an object the list of dubs and the way to a new one, else the editor of one dub.
import { decoded } from '../../frame/address.js'
import { html } from '../../lib/html.js'
import { whenOpened } from '../../lib/later.js'

/** @import { PageProps } from '../../app.js' */

const List = whenOpened(() => import('./list.js').then(({ Dubs }) => Dubs))
const OwnEditor = whenOpened(() => import('../dub-editor/editor.js').then(({ Editor }) => Editor))

/** @param {Pick<PageProps, 'address'>} props */
export const Dub = ({ address }) =>
  address.object === ''
    ? html`<${List.View} />`
    : html`<${OwnEditor.View} key=${address.object} id=${decoded(address.object)} query=${address.query} />`
