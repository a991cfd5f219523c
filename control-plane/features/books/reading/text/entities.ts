// The named characters of HTML, from the table in parse5. Pure.
import { defaultTreeAdapter, parseFragment } from 'parse5'

const known = new Map<string, string | null>()

/** The characters of `&name;`; null for an unknown name. */
export function entityNamed(name: string): string | null {
  const earlier = known.get(name)
  if (earlier !== undefined) return earlier
  const written = `&${name};`
  const node = parseFragment(written).childNodes[0]
  const text = node && defaultTreeAdapter.isTextNode(node) ? node.value : written
  const found = text === written ? null : text
  // Names come from the file.
  if (known.size < 4096) known.set(name, found)
  return found
}

/** The text with its named and numbered characters decoded, once. */
export const decodeEntities = (text: string): string =>
  text.replaceAll(/&(#?[a-zA-Z0-9]{1,40});/g, (written, name: string) => entityNamed(name) ?? written)
