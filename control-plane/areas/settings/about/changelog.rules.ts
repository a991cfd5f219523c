// Reads the changelog: releases with their sections. Unknown lines are left out, so that an edit of the file never breaks the route.

export type Release = {
  readonly version: string
  readonly date: string
  readonly intro: string
  readonly sections: readonly { readonly title: string; readonly bullets: readonly string[] }[]
}
type Section = { title: string; bullets: string[] }

const VERSION = /^\[?(\d{1,6}\.\d{1,6}\.\d{1,6}[\w.+-]{0,40})\]?/
const DATE = /\d{4}-\d{2}-\d{2}/

/** Newest first, as in the file; what is not released yet is left out. */
export const releasesOf = (text: string): Release[] =>
  text
    .split(/^## /m)
    .slice(1)
    .flatMap((part) => releaseOf(part.split('\n')) ?? [])

function releaseOf([heading = '', ...lines]: readonly string[]): Release | null {
  const version = VERSION.exec(heading)?.[1]
  if (version === undefined) return null
  const paragraphs: string[][] = [[]]
  const sections: Section[] = []
  for (const line of lines) {
    const section = sections.at(-1)
    if (line.startsWith('### ')) sections.push({ title: line.slice(4).trim(), bullets: [] })
    else if (section) addLine(section, line)
    else if (line.trim() === '') paragraphs.push([])
    else paragraphs.at(-1)!.push(line.trim())
  }
  const intro = paragraphs
    .map((each) => each.join(' '))
    .filter((each) => each !== '')
    .join('\n\n')
  return { version, date: DATE.exec(heading)?.[0] ?? '', intro, sections: sections.filter(({ bullets }) => bullets.length > 0) }
}

/** A line that is indented continues its bullet. */
function addLine({ bullets }: Section, line: string): void {
  if (/^[-*] /.test(line)) bullets.push(line.slice(2).trim())
  else if (/^ +\S/.test(line) && bullets.length > 0) bullets.push(`${bullets.pop()} ${line.trim()}`)
}
