// Collects sentences about what was not followed, each once, and the names of unknown elements. Pure.

const MAX_NOTES = 8
const MAX_NAMES = 8
const NAME_CHARS = 64

export function createNotes() {
  const sentences = new Set<string>()
  const names = new Set<string>()
  let more = 0
  return {
    add(sentence: string): void {
      if (sentences.has(sentence)) return
      if (sentences.size < MAX_NOTES) sentences.add(sentence)
      else more++
    },
    unknown(name: string): void {
      if (names.size <= MAX_NAMES) names.add(name.slice(0, NAME_CHARS))
    },
    all(): string[] {
      const named = [...names].slice(0, MAX_NAMES).join(', ')
      return [
        ...(names.size === 0
          ? []
          : [`These elements are not part of SSML 1.1: ${named}${names.size > MAX_NAMES ? ' and others' : ''}. Their text was read.`]),
        ...sentences,
        ...(more === 0 ? [] : ['More values of this SSML have no effect.']),
      ]
    },
  }
}
