// Titles of chapters: `# Title`, and `# [skip] Title` for a chapter that is not spoken. Pure.

const CHAPTER = /^#[ \t](.*)$/
const SKIP = /^\[skip\](?:[ \t]+|$)/i
const ESCAPED_SKIP = /^\\{1,200}\[skip\]/i

export type TitleLine = { readonly title: string /** False for a chapter that is switched off. */; readonly included: boolean }

/** Null for a line that begins no chapter. */
export function titleLineOf(line: string): TitleLine | null {
  const written = CHAPTER.exec(line)?.[1]?.trim()
  if (written === undefined) return null
  const name = written.replace(SKIP, '')
  return { title: ESCAPED_SKIP.test(name) ? name.slice(1) : name, included: !SKIP.test(written) }
}

/** The line that begins the chapter. `title`: one line. */
export function titleLine({ title, included }: TitleLine): string {
  const name = `${SKIP.test(title) || ESCAPED_SKIP.test(title) ? '\\' : ''}${title}`
  return included ? `# ${name}` : `# [skip] ${name}`.trimEnd()
}
