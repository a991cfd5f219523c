import { html } from '../html.js'

export const Tasks = () => html`<p class="empty">Nothing here yet.</p>`
