// Loads the page again once the studio has another version of it, or cannot bundle it. For development.
import { at } from './at.ts'

const EVERY_MS = 1000
const PAGES = 'meta[name="studio-pages"]'
const versionOf = (page: Document) => page.querySelector(PAGES)?.getAttribute('content')

async function isChanged(): Promise<boolean> {
  try {
    const answer = await fetch(at('/'))
    if (answer.status === 503) return true // the sources cannot be bundled: the answer says why
    const version = versionOf(new DOMParser().parseFromString(await answer.text(), 'text/html'))
    return version !== undefined && version !== versionOf(document) // the sign-in page has none
  } catch {
    return false // the studio is being started again
  }
}

export function reloadWhenChanged(): void {
  const look = async () => {
    if (!document.hidden && (await isChanged())) location.reload()
    setTimeout(look, EVERY_MS)
  }
  setTimeout(look, EVERY_MS)
}
