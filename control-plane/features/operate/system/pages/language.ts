// The language of the pages for a visitor: the one that was chosen in the browser, else the first that the browser prefers and that has texts.

const ENGLISH = 'en'
/** Tags of a browser that are looked at. */
const MOST_TAGS = 20

/** Languages by preference: `de-AT,de;q=0.9,en;q=0.8` -> de-AT, de, en. */
function preferredIn(header: string): string[] {
  const ranked = header.split(',', MOST_TAGS).map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((word) => word.trim())
    const quality = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1)
    return { tag: tag.toLowerCase(), quality: quality >= 0 && quality <= 1 ? quality : 0 }
  })
  return ranked
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .toSorted((left, right) => right.quality - left.quality)
    .map(({ tag }) => tag)
}

const baseOf = (tag: string): string => tag.split('-', 1)[0]!

/**
 * `chosen`: the tag that the browser has kept; `accepted`: its header Accept-Language. `languages`: tags that have texts. A language is used for all
 * regions, where there is none for the region.
 */
export function languageFor(
  { chosen, accepted }: { readonly chosen: string | undefined; readonly accepted: string },
  languages: readonly string[],
): string {
  if (chosen !== undefined && languages.includes(chosen)) return chosen
  for (const tag of preferredIn(accepted)) {
    const found =
      languages.find((one) => one.toLowerCase() === tag) ??
      languages.find((one) => one.toLowerCase() === baseOf(tag)) ??
      languages.find((one) => baseOf(one.toLowerCase()) === baseOf(tag))
    if (found !== undefined) return found
  }
  return ENGLISH
}
