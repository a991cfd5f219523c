// @ts-check
// The device menu: theme, sign in, sign out.
import { Action, Field, fieldValue, Popover } from '../lib/controls.js'
import { html, useEffect, useState } from '../lib/html.js'
import { Icon } from '../look/icons.js'
import { isSignedIn, mayAdminister, signOut } from '../visitor.js'
import { strings } from './strings.js'

/** @typedef {keyof typeof strings.themes} Theme */

const THEME_KEY = 'voice-studio-theme'
/** @param {string | null} name @returns {Theme} */
const themeOf = (name) => (name === 'light' || name === 'dark' ? name : 'system')

/** The theme of this browser, and the way to change it. @returns {[Theme, (theme: Theme) => void]} */
export function useTheme() {
  const [theme, setTheme] = useState(() => themeOf(localStorage.getItem(THEME_KEY)))
  useEffect(() => {
    localStorage.setItem(THEME_KEY, theme)
    if (theme === 'system') document.documentElement.removeAttribute('data-theme')
    else document.documentElement.setAttribute('data-theme', theme)
  }, [theme])
  return [theme, setTheme]
}

/** @param {{ page: string, theme: Theme, setTheme: (theme: Theme) => void }} props */
export function Device({ page, theme, setTheme }) {
  return html`<${Popover} id="device" label=${strings.device} kind="quiet icon-only" look="device" face=${html`<${Icon} of="person" isLarge />`}>
    <div class="body">
      <${Field} label=${strings.theme}>
        <select value=${theme} onChange=${(/** @type {Event} */ event) => setTheme(themeOf(fieldValue(event)))}>
          ${Object.entries(strings.themes).map(([id, text]) => html`<option key=${id} value=${id}>${text}</option>`)}
        </select>
      <//>
      ${isSignedIn && html`<${Action} kind="item" onPress=${signOut}>${strings.signOut}<//>`}
      ${!isSignedIn && !mayAdminister && html`<a class="item" href=${`/sign-in#/${page}`}>${strings.signIn}</a>`}
    </div>
  <//>`
}
