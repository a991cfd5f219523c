// @ts-check
// The frame around every page: navigation, theme, connection. Each page has a folder in pages/.
import { Action, Badge, fieldValue } from './lib/controls.js'
import { html, render, useEffect, useState } from './lib/html.js'
import { startLive, useLive } from './lib/live.js'
import { Notices } from './lib/notices.js'
import { strings } from './lib/strings.js'
import { Machines } from './pages/machines/page.js'
import { Setup } from './pages/setup/page.js'
import { resumeGeneration } from './pages/speak/generation.js'
import { Speak } from './pages/speak/page.js'
import { GenerationChip } from './pages/speak/status.js'
import { Tasks } from './pages/tasks/page.js'
import { isSignedIn, mayAdminister, signOut } from './visitor.js'

/** @typedef {keyof typeof PAGES} PageName */
/** @typedef {keyof typeof strings.themes} Theme */

const PAGES = { speak: Speak, tasks: Tasks, machines: Machines, setup: Setup }
/** Pages whose routes only administrators may call are shown to them alone. @type {readonly PageName[]} */
const ADMIN_PAGES = ['tasks', 'machines', 'setup']
/** @param {PageName} name */
const isAllowed = (name) => mayAdminister || !ADMIN_PAGES.includes(name)
/** Addresses of earlier versions. @type {Readonly<Record<string, PageName>>} */
const MOVED = { workers: 'machines', start: 'setup' }
const THEME_KEY = 'voice-studio-theme'

/** @param {string} name @returns {name is PageName} */
const isPage = (name) => Object.hasOwn(PAGES, name)
/** @returns {PageName} */
function pageOfAddress() {
  const name = location.hash.replace(/^#\//, '')
  return isPage(name) ? name : (MOVED[name] ?? 'speak')
}

/** @param {string | null} name @returns {Theme} */
const themeOf = (name) => (name === 'light' || name === 'dark' ? name : 'system')

/** @returns {[Theme, (theme: Theme) => void]} */
function useTheme() {
  const [theme, setTheme] = useState(() => themeOf(localStorage.getItem(THEME_KEY)))
  useEffect(() => {
    localStorage.setItem(THEME_KEY, theme)
    if (theme === 'system') document.documentElement.removeAttribute('data-theme')
    else document.documentElement.setAttribute('data-theme', theme)
  }, [theme])
  return [theme, setTheme]
}

const focusMain = () => document.getElementById('main')?.focus()

function App() {
  const [name, setName] = useState(pageOfAddress)
  const [theme, setTheme] = useTheme()
  const live = useLive()
  const title = strings.titles[name]
  useEffect(() => {
    const navigate = () => {
      setName(pageOfAddress())
      focusMain()
    }
    addEventListener('hashchange', navigate)
    return () => removeEventListener('hashchange', navigate)
  }, [])
  useEffect(() => {
    document.title = `${title} · ${strings.appName}`
  }, [title])
  const skip = (/** @type {Event} */ event) => {
    event.preventDefault()
    focusMain()
  }
  return html`
    <a class="skip" href="#main" onClick=${skip}>${strings.skip}</a>
    <header class="top">
      <span class="brand">${strings.appName}</span>
      <nav aria-label=${strings.pages}>
        ${Object.entries(strings.titles)
          .filter(([path]) => isPage(path) && isAllowed(path))
          .map(([path, text]) => html`<a key=${path} href=${`#/${path}`} aria-current=${path === name ? 'page' : undefined}>${text}</a>`)}
      </nav>
      <span class="spread"></span>
      ${name !== 'speak' && html`<${GenerationChip} />`}
      ${mayAdminister && html`<${Badge} tone=${live.connected ? 'good' : 'bad'}>${live.connected ? strings.connected : strings.disconnected}<//>`}
      ${isSignedIn && html`<${Action} onPress=${signOut}>${strings.signOut}<//>`}
      ${!isSignedIn && !mayAdminister && html`<a class="button" href=${`/sign-in#/${name}`}>${strings.signIn}</a>`}
      <label class="theme"><span class="hidden">${strings.theme}</span>
        <select value=${theme} onChange=${(/** @type {Event} */ event) => setTheme(themeOf(fieldValue(event)))}>
          ${Object.entries(strings.themes).map(([id, text]) => html`<option key=${id} value=${id}>${text}</option>`)}
        </select>
      </label>
    </header>
    <main id="main" tabindex="-1"><h1>${title}</h1>${isAllowed(name) ? html`<${PAGES[name]} live=${live} />` : html`<p class="empty">${strings.notAllowed}</p>`}</main>
    <${Notices} />`
}

const root = document.getElementById('app')
if (root) {
  if (mayAdminister) startLive()
  resumeGeneration()
  root.replaceChildren()
  render(html`<${App} />`, root)
}
