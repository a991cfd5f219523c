// @ts-check
// The frame around every page: places, where work runs, what runs now, and the connection. Each page has a folder in pages/.
import { addressOf, useAddress } from './frame/address.js'
import { Device, useTheme } from './frame/device.js'
import { GenerationDock, resumeGeneration } from './frame/generation.js'
import { Rail } from './frame/rail.js'
import { RunsOn } from './frame/runs-on.js'
import { drawAtOnce, drawInSteps } from './frame/steps.js'
import { strings } from './frame/strings.js'
import { Tray, useActiveJobs } from './frame/tray.js'
import { html, render, useEffect, useMemo, useRef, useState } from './lib/html.js'
import { Boundary, LATER_MS, whenOpened } from './lib/later.js'
import { isFirst, startLive, usableMachines, useLive } from './lib/live.js'
import { Notices } from './lib/notices.js'
import { answeredFirst, dropFirstReads } from './lib/read.js'
import { strings as shared } from './lib/strings.js'
import { titleCutTexts } from './look/cut-text.js'
import { Icon } from './look/icons.js'
import { startSound, useSound } from './look/sound.js'
import { useKeys } from './palette/keys.js'
import { isDevelopment, mayAdminister } from './visitor.js'

/** @import { FunctionComponent } from 'preact' */
/** @import { Address } from './frame/address.js' */
/** @import { Section } from './frame/rail.js' */
/** @import { IconName } from './look/icons.js' */
/** @import { Live } from './lib/live.js' */
/** @typedef {keyof typeof strings.titles} PageName */
/** @typedef {{ live: Live, address: Address, activeJobs: ReturnType<typeof useActiveJobs>, hasPage: (name: string) => boolean }} PageProps */
/** `heading`: another heading than the title. `forOwner`: its routes may be called by administrators only. @typedef {{ View: FunctionComponent<PageProps>, prefetch: () => Promise<void>, icon: IconName, section: Section, forOwner: boolean, heading?: () => string, isUnlisted?: boolean }} Page */

/** The pages in the order of the rail. @type {Readonly<Partial<Record<PageName, Page>>>} */
const PAGES = {
  home: {
    ...whenOpened(() => import('./pages/home/page.js').then(({ Home }) => Home)),
    ...{ icon: 'home', section: 'start', forOwner: false, heading: () => strings.greeting(new Date().getHours()) },
  },
  speak: {
    ...whenOpened(() => import('./pages/speak/page.js').then(({ Speak }) => Speak)),
    ...{ icon: 'speak', section: 'create', forOwner: false },
  },
  dub: { ...whenOpened(() => import('./pages/dub/page.js').then(({ Dub }) => Dub)), icon: 'film', section: 'create', forOwner: false },
  audiobook: {
    ...whenOpened(() => import('./pages/audiobook/page.js').then(({ Audiobook }) => Audiobook)),
    ...{ icon: 'book', section: 'create', forOwner: false },
  },
  transcribe: {
    ...whenOpened(() => import('./pages/transcribe/page.js').then(({ Transcribe }) => Transcribe)),
    ...{ icon: 'captions', section: 'create', forOwner: false },
  },
  tools: {
    ...whenOpened(() => import('./pages/tools/page.js').then(({ Tools }) => Tools)),
    ...{ icon: 'wand', section: 'create', forOwner: false },
  },
  projects: {
    ...whenOpened(() => import('./pages/projects/page.js').then(({ Projects }) => Projects)),
    ...{ icon: 'folder', section: 'library', forOwner: false },
  },
  voices: {
    ...whenOpened(() => import('./pages/voices/page.js').then(({ Voices }) => Voices)),
    ...{ icon: 'voice', section: 'library', forOwner: false },
  },
  files: {
    ...whenOpened(() => import('./pages/files/page.js').then(({ Files }) => Files)),
    ...{ icon: 'files', section: 'library', forOwner: false },
  },
  jobs: {
    ...whenOpened(() => import('./pages/jobs/page.js').then(({ Jobs }) => Jobs)),
    ...{ icon: 'jobs', section: 'system', forOwner: true },
  },
  machines: {
    ...whenOpened(() => import('./pages/machines/page.js').then(({ Machines }) => Machines)),
    ...{ icon: 'machine', section: 'system', forOwner: true },
  },
  models: {
    ...whenOpened(() => import('./pages/models/page.js').then(({ Models }) => Models)),
    ...{ icon: 'model', section: 'system', forOwner: true },
  },
  settings: {
    ...whenOpened(() => import('./pages/settings/page.js').then(({ Settings }) => Settings)),
    ...{ icon: 'settings', section: 'system', forOwner: true },
  },
  setup: {
    ...whenOpened(() => import('./pages/setup/page.js').then(({ Setup }) => Setup)),
    ...{ icon: 'check', section: 'system', forOwner: true },
  },
  ...(isDevelopment && {
    design: {
      ...whenOpened(() => import('./pages/design/page.js').then(({ Design }) => Design)),
      ...{ icon: 'settings', section: 'system', forOwner: false, isUnlisted: true },
    },
  }),
}
const OwnPalette = whenOpened(() => import('./palette/commands.js').then(({ Commands }) => Commands), { isQuiet: true })
const Player = whenOpened(() => import('./frame/player.js').then((module) => module.Player), { isQuiet: true })
/** Nothing plays in most first views. */
const PlayerDock = () => (useSound().path === '' ? null : html`<${Player.View} />`)
const KeyList = whenOpened(() => import('./palette/key-help.js').then(({ KeyHelp }) => KeyHelp), { isQuiet: true })
/** @type {PageName} */
const FIRST = 'home'
/** Whose objects have an editor with a table or a text beside an inspector. @type {readonly PageName[]} */
const WIDE_PAGES = ['dub', 'audiobook']
/** Whose objects open beside a list, which stays where it was scrolled to. @type {readonly PageName[]} */
const LIST_PAGES = ['voices', 'jobs', 'machines']
/** Screens on which an object takes the place of its list, as in the style sheet. */
const STACKED = '(max-width: 1200px)'
const NARROW_KEY = 'voice-studio-rail'
/** A connection that returns sooner is not mentioned. */
const LOST_MS = 2000
/** The frame waits so long for the first page and what it shows, to be drawn with both. */
const PAGE_MS = 50
/** After the answers of the first view, until it is drawn. */
const LIVE_MS = 100

/** @param {string} name @returns {name is PageName} */
const isPage = (name) => Object.hasOwn(PAGES, name)
/** @param {Page} page */
const isAllowed = ({ forOwner }) => mayAdminister || !forOwner
/** The page of an address. @param {{ page: string }} address @returns {PageName} */
const pageOf = ({ page }) => (isPage(page) ? page : FIRST)

const focusTitle = () => document.querySelector('h1')?.focus({ preventScroll: true })

/** Whether the connection has been lost for a while. @param {boolean} connected */
function useIsLost(connected) {
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    if (connected) return setLost(false)
    const timer = setTimeout(() => setLost(true), LOST_MS)
    return () => clearTimeout(timer)
  }, [connected])
  return isLost
}

/** @param {{ live: Live, name: PageName, page: Page, activeJobs: ReturnType<typeof useActiveJobs>, theme: ReturnType<typeof useTheme>, onSearch: () => void }} props */
function Top({ live, name, page, activeJobs, theme: [theme, setTheme], onSearch }) {
  const usable = useMemo(() => live.fleet && usableMachines(live), [live.fleet])
  return html`<header class="top">
    <div class="crumbs one-line">${strings.sections[page.section] && html`<span class="section wide-only">${strings.sections[page.section]}<span class="slash" aria-hidden="true">/</span></span>`}<strong>${strings.titles[name]}</strong></div>
    <span class="spread"></span>
    <button type="button" class="search" title=${strings.search} aria-label=${`${strings.search} ${strings.searchKey}`} aria-haspopup="dialog" aria-keyshortcuts="Control+K" onPointerEnter=${OwnPalette.prefetch} onClick=${onSearch}><${Icon} of="search" /><span class="wide-only">${strings.search}</span> <kbd class="wide-only">${strings.searchKey}</kbd></button>
    <${Tray} jobs=${activeJobs.value ?? []} onChanged=${activeJobs.reload} hasPage=${mayAdminister} />
    ${mayAdminister && html`<${RunsOn} hint=${usable} />`}
    <${Device} page=${name} theme=${theme} setTheme=${setTheme} />
  </header>`
}

function App() {
  const shown = useRef(addressOf(location.hash).page)
  const address = useAddress((next) => {
    const isBeside = next.page === shown.current && isPage(next.page) && LIST_PAGES.includes(next.page) && !matchMedia(STACKED).matches
    shown.current = next.page
    if (!isBeside) scrollTo(0, 0)
    focusTitle()
  })
  const live = useLive()
  const theme = useTheme()
  const [window, show] = useState(/** @type {'palette' | 'keys' | null} */ (null))
  const [rail, setRail] = useState(() => localStorage.getItem(NARROW_KEY))
  const activeJobs = useActiveJobs(live.fleet && ([...live.tasks.keys()].at(-1) ?? ''))
  const isLost = useIsLost(live.connected)
  const name = pageOf(address)
  const page = /** @type {Page} */ (PAGES[name])
  const title = strings.titles[name]
  const isEditor = WIDE_PAGES.includes(name) && address.object !== ''
  // Editors need the width; a choice of the person counts more.
  const isNarrow = rail === null ? isEditor && matchMedia('(max-width: 1599px)').matches : rail === 'narrow'
  useEffect(() => {
    document.title = `${title} · ${shared.appName}`
  }, [title])
  const narrow = (/** @type {boolean} */ to) => {
    localStorage.setItem(NARROW_KEY, to ? 'narrow' : 'wide')
    setRail(to ? 'narrow' : 'wide')
  }
  const skip = (/** @type {Event} */ event) => {
    event.preventDefault()
    focusTitle()
  }
  const needApproval = live.fleet?.workers.some(({ consent_granted: isApproved }) => !isApproved) ?? false
  const places = Object.entries(PAGES)
    .filter(([, one]) => isAllowed(one) && !one.isUnlisted)
    .map(([path, { icon, section }]) => ({
      page: path,
      title: strings.titles[/** @type {PageName} */ (path)],
      icon,
      section,
      count: path === 'jobs' ? (activeJobs.value?.length ?? 0) : 0,
      isCalling: path === 'machines' && needApproval,
    }))
  const onRail = () => narrow(!isNarrow)
  const onKeys = () => show('keys')
  const onPalette = () => show('palette')
  const hasPlace = (/** @type {string} */ one) => places.some(({ page }) => page === one)
  useKeys({ onPalette, onHelp: onKeys, onRail, hasPage: hasPlace })
  const onPoint = (/** @type {string} */ one) => isPage(one) && PAGES[one]?.prefetch()
  useEffect(() => {
    // After the first view, so that the first letters and the first sound find them.
    const timer = setTimeout(() => {
      drawAtOnce()
      dropFirstReads()
      void OwnPalette.prefetch()
      void Player.prefetch()
      import('./frame/kept-statement.js').then(
        ({ dropOutdated }) => dropOutdated(),
        () => {},
      )
    }, LATER_MS)
    return () => clearTimeout(timer)
  }, [])
  return html`<div class=${isNarrow ? 'frame narrow' : 'frame'} data-live=${live.connected}>
    <a class="skip" href="#main" onClick=${skip}>${strings.skip}</a>
    <${Rail} places=${places} here=${name} isNarrow=${isNarrow} onNarrow=${narrow} onPoint=${onPoint} name=${shared.appName} />
    <${Top} live=${live} name=${name} page=${page} activeJobs=${activeJobs} theme=${theme} onSearch=${onPalette} />
    <main id="main" tabindex="-1">
      ${mayAdminister && isLost && html`<p class="lost" role="status">${strings.reconnecting}</p>`}
      <div class=${page.heading ? 'title-row home-title' : isEditor ? 'title-row unseen' : 'title-row'}><h1 tabindex="-1" class=${page.heading ? 'display' : undefined}>${page.heading?.() ?? title}</h1></div>
      <div class="work">${isAllowed(page) ? html`<${Boundary} key=${name} address=${address}><${page.View} live=${live} address=${address} activeJobs=${activeJobs} hasPage=${isPage} /><//>` : html`<p class="empty">${strings.notAllowed}</p>`}</div>
    </main>
    <div class="dock">${name !== 'speak' && html`<${GenerationDock} />`}<${PlayerDock} /></div>
    ${
      window === 'palette' &&
      html`<${OwnPalette.View} places=${places} live=${live} jobs=${activeJobs.value} setTheme=${theme[1]} onRail=${onRail} onKeys=${onKeys}
      hasPage=${hasPlace} onClose=${() => show((now) => (now === 'palette' ? null : now))} />`
    }
    ${window === 'keys' && html`<${KeyList.View} hasPage=${hasPlace} onClose=${() => show(null)} />`}
    <${Notices} />
  </div>`
}

const root = document.getElementById('app')
if (root) {
  if (mayAdminister && isFirst) startLive()
  drawInSteps()
  startSound()
  titleCutTexts()
  resumeGeneration()
  const begin = () => {
    root.replaceChildren()
    render(html`<${App} />`, root)
  }
  // A task of its own: loading the modules was one.
  const after = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const first = Promise.all([PAGES[pageOf(addressOf(location.hash))]?.prefetch(), answeredFirst()])
  void Promise.race([first, after(PAGE_MS)]).then(() => setTimeout(begin))
  // Tasks and machines are no part of what the other pages show first.
  if (mayAdminister && !isFirst) void Promise.race([first, after(LATER_MS)]).then(() => setTimeout(startLive, LIVE_MS))
}
