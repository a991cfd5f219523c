// The pages, opened once; for development once for each state of the sources.
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type PagesNotBuilt, pagesNotBuilt } from './failure.ts'

/** For all visitors: to bundle in vain costs a second of the processor, and a page that failed may be requested as often as one likes. */
const PAUSE_MS = 10_000
/** A page that waits for a mended source loads itself as often. */
const DEVELOPMENT_PAUSE_MS = 2000

type Options<Site> = {
  /** The folder with the newest bundles. */
  readonly find: () => Promise<string>
  readonly open: (folder: string) => Promise<Site>
  /** Looks for newer bundles at each page. */
  readonly isDevelopment: boolean
  readonly clock: Pick<Clock, 'mono'>
  readonly log: Pick<Log, 'error'>
}

/** Both functions throw PagesNotBuilt. */
export function createSites<Site>({ find, open, isDevelopment, clock, log }: Options<Site>) {
  let opened: { readonly folder: string; readonly site: Site } | undefined
  let newest: Promise<Site> | undefined
  let failed: { readonly error: PagesNotBuilt; readonly until: number } | undefined
  let reported = ''

  async function openNewest(): Promise<Site> {
    try {
      const folder = await find()
      if (opened?.folder !== folder) opened = { folder, site: await open(folder) }
      failed = undefined
      reported = ''
      return opened.site
    } catch (cause) {
      const error = pagesNotBuilt(cause)
      failed = { error, until: clock.mono() + (isDevelopment ? DEVELOPMENT_PAUSE_MS : PAUSE_MS) }
      if (error.message !== reported) log.error({ err: error }, 'the web pages cannot be shown')
      reported = error.message
      throw error
    }
  }
  /** Requests that arrive meanwhile wait for the same one. */
  async function look(): Promise<Site> {
    if (failed && clock.mono() < failed.until) throw failed.error
    newest ??= openNewest().finally(() => {
      newest = undefined
    })
    return newest
  }
  return {
    /** For a page. */
    current: async (): Promise<Site> => (opened && !isDevelopment ? opened.site : look()),
    /** For a file of a page, which belongs to the site of the page. */
    opened: async (): Promise<Site> => opened?.site ?? look(),
  }
}
