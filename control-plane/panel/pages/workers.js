import { html } from '../html.js'

export const Workers = () => html`<p class="empty">Nothing here yet.</p>`
