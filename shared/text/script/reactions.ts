// Tags for sounds that are no words, such as `[laughter]`. Engines that do not know a tag speak it as a word. Pure.

/** Tags that people write, beside those that engines list. Other bracketed words, such as `[sic]`, are text. */
const REACTIONS: ReadonlySet<string> = new Set([
  ...['laughter', 'laugh', 'laughs', 'laughing', 'chuckle', 'chuckles', 'chuckling', 'giggle', 'giggles', 'sigh', 'sighs', 'sighing'],
  ...['gasp', 'gasps', 'cough', 'coughs', 'coughing', 'clears throat', 'clear throat', 'throat-clearing', 'cry', 'cries', 'crying'],
  ...['sob', 'sobs', 'sobbing', 'sniff', 'sniffs', 'groan', 'groans', 'yawn', 'yawns', 'breath', 'breathes', 'whispers', 'applause'],
  ...['confirmation-en', 'question-en', 'question-ah', 'question-oh', 'question-ei', 'question-yi', 'surprise-ah', 'surprise-oh'],
  ...['surprise-wa', 'surprise-yo', 'dissatisfaction-hnn'],
])
const TAG = / ?\[([a-z]+(?:[ -][a-z]+)?)\]/gi

/** The text without the reactions that are not in `supported`, and whether there was one. */
export function withoutReactions(text: string, supported: readonly string[]): { readonly text: string; readonly removed: boolean } {
  let removed = false
  const kept = text.replace(TAG, (tag: string, name: string) => {
    if (!REACTIONS.has(name.toLowerCase()) || supported.includes(name)) return tag
    removed = true
    return ''
  })
  return { text: kept, removed }
}
