// Reads the changelog: releases with their sections. Unknown lines are left out, so that an edit of the file never breaks the route.

export type Release = {
  readonly version: string
  readonly date: string
  readonly intro: string
  readonly sections: readonly { readonly title: string; readonly bullets: readonly string[] }[]
}
type Section = { title: string; bullets: string[] }

const VERSION = /^\[?(\d{1,6}\.\d{1,6}\.\d{1,6}[\w.+-]{0,40})\]?/
const UNRELEASED = /^\[?unreleased\b/i
const DATE = /\d{4}-\d{2}-\d{2}/

/** Newest first, as in the file. Unreleased changes belong to the running version as long as no heading names it, and are left out otherwise. */
export function releasesOf(text: string, running: string): Release[] {
  const parts = text
    .split(/^## /m)
    .slice(1)
    .map((part) => part.split('\n'))
  const isNamed = parts.some(([heading = '']) => versionOf(heading) === running)
  return parts.flatMap(([heading = '', ...lines]) => {
    const version = versionOf(heading) ?? (UNRELEASED.test(heading) && !isNamed ? running : null)
    return version === null ? [] : [releaseOf(version, heading, lines)]
  })
}

const versionOf = (heading: string): string | null => VERSION.exec(heading)?.[1] ?? null

function releaseOf(version: string, heading: string, lines: readonly string[]): Release {
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
