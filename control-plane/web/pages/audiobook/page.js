// @ts-check
// Audiobook: the books that exist, and the one that is being prepared.
import { html } from '../../lib/html.js'
import { Draft } from './draft.js'
import { Library } from './library.js'

/** @import { PageProps } from '../../app.js' */

/** @param {Pick<PageProps, 'address' | 'activeJobs'>} props */
export const Audiobook = ({ address, activeJobs }) =>
  address.object === 'draft'
    ? html`<${Draft} query=${address.query} activeJobs=${activeJobs} />`
    : html`<${Library} wanted=${address.query.get('job') ?? ''} activeJobs=${activeJobs} />`
