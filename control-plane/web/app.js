// The frame around every page: which page, which theme, whether the studio answers. Pages are in pages/, one file each.

import { html, render, useEffect, useState } from './html.js'
import { useLive } from './live.js'
import { Speak } from './pages/speak.js'
import { Start } from './pages/start.js'
import { Tasks } from './pages/tasks.js'
import { Workers } from './pages/workers.js'
import { Badge, Notices } from './parts/basics.js'

const PAGES = [
  { path: 'speak', title: 'Speak', page: Speak },
  { path: 'tasks', title: 'Tasks', page: Tasks },
  { path: 'workers', title: 'Machines', page: Workers },
  { path: 'start', title: 'First run', page: Start },
]
const THEMES = ['system', 'light', 'dark']
const KEY = 'voice-studio-theme'

const here = () => PAGES.find(({ path }) => location.hash === `#/${path}`) ?? PAGES[0]

function useTheme() {
  const [theme, setTheme] = useState(() => (THEMES.includes(localStorage.getItem(KEY)) ? localStorage.getItem(KEY) : 'system'))
  useEffect(() => {
    localStorage.setItem(KEY, theme)
    if (theme === 'system') document.documentElement.removeAttribute('data-theme')
    else document.documentElement.setAttribute('data-theme', theme)
  }, [theme])
  return [theme, setTheme]
}

function App() {
  const [{ path, title, page: Page }, setPage] = useState(here)
  const [theme, setTheme] = useTheme()
  const live = useLive()
  useEffect(() => {
    const turn = () => {
      setPage(here())
      document.getElementById('main')?.focus()
    }
    addEventListener('hashchange', turn)
    return () => removeEventListener('hashchange', turn)
  }, [])
  useEffect(() => {
    document.title = `${title} · Voice Studio`
  }, [title])
  return html`
    <a class="skip" href="#main" onClick=${(event) => {
      event.preventDefault()
      document.getElementById('main').focus()
    }}>Skip to the page</a>
    <header class="top">
      <span class="brand">Voice Studio</span>
      <nav aria-label="Pages">
        ${PAGES.map((one) => html`<a key=${one.path} href=${`#/${one.path}`} aria-current=${one.path === path ? 'page' : undefined}>${one.title}</a>`)}
      </nav>
      <span class="spread"></span>
      <${Badge} tone=${live.connected ? 'good' : 'bad'}>${live.connected ? 'live' : 'not connected'}<//>
      <label class="theme"><span class="hidden">Theme</span>
        <select value=${theme} onChange=${(event) => setTheme(event.target.value)}>
          ${THEMES.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
        </select>
      </label>
    </header>
    <main id="main" tabindex="-1"><h1>${title}</h1><${Page} live=${live} /></main>
    <${Notices} />`
}

const root = document.getElementById('app')
root.replaceChildren()
render(html`<${App} />`, root)
