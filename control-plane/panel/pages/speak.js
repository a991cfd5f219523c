import { html } from '../html.js'

export const Speak = () => html`<p class="empty">Nothing here yet.</p>`
