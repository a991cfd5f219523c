// Names of the files of takes. Pure.
const MAX_WORDS = 8
const MAX_LETTERS = 60
/** Windows has no files with these names, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** The first words of the text in any script, without marks in brackets and without what file systems refuse; `take` when nothing is left. */
export function takeFileName(text: string, extension: string): string {
  const words = text
    .slice(0, 1000)
    .toWellFormed()
    .replace(/\[[^[\]]*\]/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"*/:<>?\\|\ufffd]+/gu, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, MAX_WORDS)
  const name = [...words.join(' ')]
    .slice(0, MAX_LETTERS)
    .join('')
    .replace(/^[.\s]+/, '')
  const bare = trimmedEnd(name)
  return `${bare === '' || DEVICES.test(bare) ? 'take' : bare}.${extension}`
}

/** Without the end of a sentence. */
function trimmedEnd(name: string): string {
  let end = name.length
  while (end > 0 && ' .,;!…。、！'.includes(name[end - 1]!)) end--
  return name.slice(0, end)
}
