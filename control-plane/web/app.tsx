// The frame around every page: places, where work runs, what runs now, and the connection. Each page has a folder in pages/.

import type { FunctionComponent } from 'preact'
import { strings } from '#messages/frame.ts'
import { strings as shared } from '#messages/shared.ts'
import { useActiveJobs } from './frame/active-jobs.ts'
import type { Address } from './frame/address.ts'
import { addressOf, useAddress } from './frame/address.ts'
import { Device, useTheme } from './frame/device.tsx'
import { isBusy, resumeGeneration, useGeneration } from './frame/generation.ts'
import { useShownName } from './frame/object-name.ts'
import type { Section } from './frame/places.ts'
import { Rail } from './frame/rail.tsx'
import { RunsOn } from './frame/runs-on.tsx'
import { drawAtOnce, drawInSteps } from './frame/steps.ts'
import { Tray } from './frame/tray.tsx'
import { render, useEffect, useMemo, useRef, useState } from './lib/html.ts'
import { Boundary, LATER_MS, whenOpened } from './lib/later.tsx'
import type { Live } from './lib/live.ts'
import { isFirst, startLive, usableMachines, useLive } from './lib/live.ts'
import { answeredFirst, dropFirstReads } from './lib/read.ts'
import { loadServerTexts, useServerTexts } from './lib/server-texts.ts'
import { titleCutTexts } from './look/cut-text.ts'
import type { IconName } from './look/icons.tsx'
import { Icon } from './look/icons.tsx'
import { Notices } from './look/notices.tsx'
import { startSound, useSound } from './look/sound.ts'
import { useKeys } from './palette/keys.ts'
import { isDevelopment, isListener, mayAdminister } from './visitor.ts'
// In the frame, because most pages need it: one request less for each.
import './lib/names.ts'
import './needs/later.tsx'

export type PageName = keyof typeof strings.titles
export type PageProps = { live: Live; address: Address; activeJobs: ReturnType<typeof useActiveJobs>; hasPage: (name: string) => boolean }
/**
 * `heading`: another heading than the title. `forOwner`: its routes may be called by administrators only. `under`: the page of the rail
 * that it belongs to, for one that has no place of its own there
 */
export type Page = {
  View: FunctionComponent<PageProps>
  prefetch: () => Promise<void>
  icon: IconName
  section: Section
  forOwner: boolean
  heading?: () => string
  under?: PageName
  isUnlisted?: boolean
}

/** The pages in the order of the rail. */
const PAGES: Readonly<Partial<Record<PageName, Page>>> = {
  home: {
    ...whenOpened(() => import('./pages/home/page.tsx').then(({ Home }) => Home)),
    ...{ icon: 'home', section: 'start', forOwner: false, heading: () => strings.greeting(new Date().getHours()) },
  },
  speak: {
    ...whenOpened(() => import('./pages/speak/page.tsx').then(({ Speak }) => Speak)),
    ...{ icon: 'speak', section: 'create', forOwner: false },
  },
  dub: { ...whenOpened(() => import('./pages/dub/page.tsx').then(({ Dub }) => Dub)), icon: 'film', section: 'create', forOwner: false },
  audiobook: {
    ...whenOpened(() => import('./pages/audiobook/page.tsx').then(({ Audiobook }) => Audiobook)),
    ...{ icon: 'book', section: 'create', forOwner: false },
  },
  transcribe: {
    ...whenOpened(() => import('./pages/transcribe/page.tsx').then(({ Transcribe }) => Transcribe)),
    ...{ icon: 'captions', section: 'create', forOwner: false },
  },
  tools: {
    ...whenOpened(() => import('./pages/tools/page.tsx').then(({ Tools }) => Tools)),
    ...{ icon: 'wand', section: 'create', forOwner: false },
  },
  projects: {
    ...whenOpened(() => import('./pages/projects/page.tsx').then(({ Projects }) => Projects)),
    ...{ icon: 'folder', section: 'library', forOwner: false },
  },
  voices: {
    ...whenOpened(() => import('./pages/voices/page.tsx').then(({ Voices }) => Voices)),
    ...{ icon: 'voice', section: 'library', forOwner: false },
  },
  files: {
    ...whenOpened(() => import('./pages/files/page.tsx').then(({ Files }) => Files)),
    ...{ icon: 'files', section: 'library', forOwner: false },
  },
  jobs: {
    ...whenOpened(() => import('./pages/jobs/page.tsx').then(({ Jobs }) => Jobs)),
    ...{ icon: 'jobs', section: 'system', forOwner: true },
  },
  machines: {
    ...whenOpened(() => import('./pages/machines/page.tsx').then(({ Machines }) => Machines)),
    ...{ icon: 'machine', section: 'system', forOwner: true },
  },
  models: {
    ...whenOpened(() => import('./pages/models/page.tsx').then(({ Models }) => Models)),
    ...{ icon: 'model', section: 'system', forOwner: true },
  },
  settings: {
    ...whenOpened(() => Promise.all([import('./pages/settings/page.tsx'), loadServerTexts()]).then(([{ Settings }]) => Settings)),
    ...{ icon: 'settings', section: 'system', forOwner: true },
  },
  setup: {
    ...whenOpened(() => import('./pages/setup/page.tsx').then(({ Setup }) => Setup)),
    ...{ icon: 'check', section: 'start', forOwner: true, under: 'home' },
  },
  health: {
    ...whenOpened(() => import('./pages/health/page.tsx').then(({ Health }) => Health)),
    ...{ icon: 'clock', section: 'system', forOwner: true, under: 'settings' },
  },
  ...(isDevelopment && {
    design: {
      ...whenOpened(() => import('./pages/design/page.tsx').then(({ Design }) => Design)),
      ...{ icon: 'settings', section: 'system', forOwner: false, isUnlisted: true },
    },
  }),
}
const OwnPalette = whenOpened(() => import('./palette/commands.tsx').then(({ Commands }) => Commands), { isQuiet: true })
const Bar = whenOpened(() => import('./pages/speak/status.tsx').then(({ GenerationBar }) => GenerationBar), { isQuiet: true })
const Player = whenOpened(() => import('./frame/player.tsx').then((module) => module.Player), { isQuiet: true })
/** At the bottom of every page but Speak: what is generated or played. */
function GenerationDock() {
  const generation = useGeneration()
  return isBusy(generation) || generation.isPlaying ? <Bar.View /> : null
}
/** Nothing plays in most first views. */
const PlayerDock = () => (useSound().path === '' ? null : <Player.View />)
const KeyList = whenOpened(() => import('./palette/key-help.tsx').then(({ KeyHelp }) => KeyHelp), { isQuiet: true })
const FIRST: PageName = 'home'
/** Pages whose objects have an editor with a table or a text beside an inspector. */
const WIDE_PAGES: readonly PageName[] = ['dub', 'audiobook']
/** Pages whose objects open beside a list, which stays where it was scrolled to. */
const LIST_PAGES: readonly PageName[] = ['voices', 'jobs', 'machines']
/** Screens on which an object takes the place of its list, as in the style sheet. */
const STACKED = '(max-width: 1200px)'
const NARROW_KEY = 'voice-studio-rail'
/** A connection that returns sooner is not mentioned; the first one takes longer on a slow machine. */
const [LOST_MS, FIRST_MS] = [2000, 10_000]
/** The frame waits so long for the first page and what it shows, to be drawn with both. */
const PAGE_MS = 50
/** After the answers of the first view, until it is drawn. */
const LIVE_MS = 100

const isPage = (name: string): name is PageName => Object.hasOwn(PAGES, name)
/** Those who make nothing play and download. */
const mayOpen = (name: string) =>
  isListener ? /^(?:home|voices|files)$/.test(name) : isPage(name) && (mayAdminister || !PAGES[name]?.forOwner)
/** The page of an address. */
const pageOf = ({ page }: { page: string }): PageName => (isPage(page) ? page : FIRST)

const focusTitle = () => document.querySelector('h1')?.focus({ preventScroll: true })

/** True if the connection has been lost for a while. */
function useIsLost(connected: boolean) {
  const [isLost, setLost] = useState(false)
  const wasThere = useRef(false)
  useEffect(() => {
    wasThere.current ||= connected
    if (connected) return setLost(false)
    const timer = setTimeout(() => setLost(true), wasThere.current ? LOST_MS : FIRST_MS)
    return () => clearTimeout(timer)
  }, [connected])
  return isLost
}

function Top({
  live,
  name,
  page,
  activeJobs,
  theme: [theme, setTheme],
  onSearch,
  object,
}: {
  live: Live
  name: PageName
  page: Page
  activeJobs: ReturnType<typeof useActiveJobs>
  theme: ReturnType<typeof useTheme>
  onSearch: () => void
  /** name of the object that the page shows; '' without one */
  object: string
}) {
  const usable = useMemo(() => live.fleet && usableMachines(live), [live.fleet])
  return (
    <header class="top">
      <div class="crumbs one-line">
        {(object || strings.sections[page.section]) && (
          <span class="section wide-only">
            {object ? <a href={`#/${name}`}>{strings.titles[name]}</a> : strings.sections[page.section]}
            <span class="slash" aria-hidden="true">
              /
            </span>
          </span>
        )}
        <strong dir="auto">{object || strings.titles[name]}</strong>
      </div>
      <span class="spread"></span>
      <button
        type="button"
        class="search"
        title={strings.search}
        aria-label={`${strings.search} ${strings.searchKey}`}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        onPointerEnter={OwnPalette.prefetch}
        onClick={onSearch}
      >
        <Icon of="search" />
        <span class="wide-only">{strings.search}</span> <kbd class="wide-only">{strings.searchKey}</kbd>
      </button>
      <Tray jobs={activeJobs.value ?? []} onChanged={activeJobs.reload} hasPage={mayAdminister} />
      {mayAdminister && <RunsOn hint={usable} />}
      <Device page={name} theme={theme} setTheme={setTheme} />
    </header>
  )
}

function App() {
  const shown = useRef(addressOf(location.hash).page)
  const address = useAddress((next) => {
    const isBeside = next.page === shown.current && isPage(next.page) && LIST_PAGES.includes(next.page) && !matchMedia(STACKED).matches
    shown.current = next.page
    if (!isBeside) scrollTo(0, 0)
    focusTitle()
  })
  useServerTexts()
  const live = useLive()
  const theme = useTheme()
  const [window, show] = useState<'palette' | 'keys' | null>(null)
  const [rail, setRail] = useState(() => localStorage.getItem(NARROW_KEY))
  const activeJobs = useActiveJobs(live.fleet && ([...live.tasks.keys()].at(-1) ?? ''))
  const isLost = useIsLost(live.connected)
  const name = pageOf(address)
  const page = PAGES[name] as Page
  const object = useShownName()
  const title = strings.titles[name]
  const isEditor = WIDE_PAGES.includes(name) && address.object !== ''
  // Editors need the width; a choice of the person counts more.
  const isNarrow = rail === null ? isEditor && matchMedia('(max-width: 1599px)').matches : rail === 'narrow'
  useEffect(() => {
    document.title = [object, title, shared.appName].filter(Boolean).join(' · ')
  }, [title, object])
  const narrow = (to: boolean) => {
    localStorage.setItem(NARROW_KEY, to ? 'narrow' : 'wide')
    setRail(to ? 'narrow' : 'wide')
  }
  const skip = (event: Event) => {
    event.preventDefault()
    focusTitle()
  }
  const needApproval = live.fleet?.workers.some(({ consent_granted: isApproved }) => !isApproved) ?? false
  const places = Object.entries(PAGES)
    .filter(([name, one]) => mayOpen(name) && !one.isUnlisted)
    .map(([path, { icon, section, under }]) => ({
      page: path,
      title: strings.titles[path as PageName],
      icon,
      section,
      count: path === 'jobs' ? (activeJobs.value?.length ?? 0) : 0,
      isCalling: path === 'machines' && needApproval,
      isOffRail: under !== undefined,
    }))
  const onRail = () => narrow(!isNarrow)
  const onKeys = () => show('keys')
  const onPalette = () => show('palette')
  useKeys({ onPalette, onHelp: onKeys, onRail, hasPage: mayOpen })
  const onPoint = (one: string) => isPage(one) && PAGES[one]?.prefetch()
  useEffect(() => {
    // After the first view, so that the first letters and the first sound find them.
    const timer = setTimeout(() => {
      drawAtOnce()
      dropFirstReads()
      void OwnPalette.prefetch()
      void Player.prefetch()
      void loadServerTexts()
      import('./frame/kept/statement.ts').then(
        ({ dropOutdated }) => dropOutdated(),
        () => {},
      )
    }, LATER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class={isNarrow ? 'frame narrow' : 'frame'} data-live={live.connected}>
      <a class="skip" href="#main" onClick={skip}>
        {strings.skip}
      </a>
      <Rail
        places={places.filter(({ isOffRail }) => !isOffRail)}
        here={page.under ?? name}
        isNarrow={isNarrow}
        onNarrow={narrow}
        onPoint={onPoint}
        name={shared.appName}
      />
      <Top live={live} name={name} page={page} activeJobs={activeJobs} theme={theme} onSearch={onPalette} object={object} />
      <main id="main" tabindex={-1}>
        {mayAdminister && isLost && (
          <p class="lost" role="status">
            {strings.reconnecting}
          </p>
        )}
        <div class={page.heading ? 'title-row home-title' : isEditor ? 'title-row unseen' : 'title-row'}>
          <h1 tabindex={-1} class={page.heading ? 'display' : undefined}>
            {page.heading?.() ?? ((name !== 'speak' && object) || title)}
          </h1>
        </div>
        <div class="work">
          {mayOpen(name) ? (
            <Boundary key={name} address={address}>
              <page.View live={live} address={address} activeJobs={activeJobs} hasPage={mayOpen} />
            </Boundary>
          ) : (
            <p class="empty">{strings.notAllowed}</p>
          )}
        </div>
      </main>
      <div class="dock">
        {name !== 'speak' && <GenerationDock />}
        <PlayerDock />
      </div>
      {window === 'palette' && (
        <OwnPalette.View
          places={places}
          live={live}
          jobs={activeJobs.value}
          setTheme={theme[1]}
          onRail={onRail}
          onKeys={onKeys}
          hasPage={mayOpen}
          onClose={() => show((now) => (now === 'palette' ? null : now))}
        />
      )}
      {window === 'keys' && <KeyList.View hasPage={mayOpen} onClose={() => show(null)} />}
      <Notices />
    </div>
  )
}

const root = document.getElementById('app')
if (root) {
  if (isDevelopment) void import('./reload.ts').then(({ reloadWhenChanged }) => reloadWhenChanged())
  if (mayAdminister && isFirst) startLive()
  drawInSteps()
  startSound()
  titleCutTexts()
  resumeGeneration()
  const begin = () => {
    root.replaceChildren()
    render(<App />, root)
  }
  // A task of its own: loading the modules was one.
  const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const first = Promise.all([PAGES[pageOf(addressOf(location.hash))]?.prefetch(), answeredFirst()])
  void Promise.race([first, after(PAGE_MS)]).then(() => setTimeout(begin))
  // Tasks and machines are no part of what the other pages show first.
  if (mayAdminister && !isFirst) void Promise.race([first, after(LATER_MS)]).then(() => setTimeout(startLive, LIVE_MS))
}
