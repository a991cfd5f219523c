import { html } from '../html.js'

export const Start = () => html`<p class="empty">Nothing here yet.</p>`
