// @ts-check
// Audiobook: the books that exist, and the one that is being prepared.
import { html } from '../../lib/html.js'
import { whenOpened } from '../../lib/later.js'

/** @import { PageProps } from '../../app.js' */

const OwnLibrary = whenOpened(() => import('./library.js').then(({ Library }) => Library))
const OwnDraft = whenOpened(() => import('./draft.js').then(({ Draft }) => Draft))

/** @param {Pick<PageProps, 'address' | 'activeJobs'>} props */
export const Audiobook = ({ address, activeJobs }) =>
  address.object === 'draft'
    ? html`<${OwnDraft.View} query=${address.query} activeJobs=${activeJobs} />`
    : html`<${OwnLibrary.View} wanted=${address.query.get('job') ?? ''} activeJobs=${activeJobs} />`
