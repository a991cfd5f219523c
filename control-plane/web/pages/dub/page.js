// @ts-check
// Dub: a film or a recording in another language. Without an object the list of dubs and the way to a new one, else the editor of one dub.
import { decoded } from '../../frame/address.js'
import { html } from '../../lib/html.js'
import { Editor } from '../dub-editor/editor.js'
import { Dubs } from './list.js'

/** @import { PageProps } from '../../app.js' */

/** @param {Pick<PageProps, 'address'>} props */
export const Dub = ({ address }) =>
  address.object === '' ? html`<${Dubs} />` : html`<${Editor} key=${address.object} id=${decoded(address.object)} query=${address.query} />`
