// Titles of chapters: `# Title`, and `# [skip] Title` for a chapter that is not spoken. Pure.

const CHAPTER = /^#[ \t](.*)$/
const SKIP = /^\[skip\](?:[ \t]+|$)/i
const ESCAPED_SKIP = /^\\{1,200}\[skip\]/i

export type TitleLine = { readonly title: string /** False for a chapter that is switched off. */; readonly included: boolean }

/** Null for a line that begins no chapter. */
export function titleLineOf(line: string): TitleLine | null {
  const written = CHAPTER.exec(line)?.[1]?.trim()
  if (written === undefined) return null
  const mark = SKIP.exec(written)?.[0]
  if (mark !== undefined) return { title: written.slice(mark.length), included: false }
  return { title: ESCAPED_SKIP.test(written) ? written.slice(1) : written, included: true }
}

/** The line that begins the chapter. `title`: one line. */
export function titleLine({ title, included }: TitleLine): string {
  if (!included) return `# [skip] ${title}`.trimEnd()
  return `# ${SKIP.test(title) || ESCAPED_SKIP.test(title) ? '\\' : ''}${title}`
}
