// Detects a text that is already a manuscript, so that its tags mean what they say. Pure.

const TAG = /\[(?:voice:[^[\]\n]{0,200}|pause(?: [^[\]\n]{1,20})?|\/?(?:slow|fast|emphasis|spell))\]/i
const HEADING = /^#[ \t]+\S/m

/** True if the text has tags of voices, pauses or styles. */
export const hasScriptTags = (text: string): boolean => TAG.test(text)

/** The same, or headings of chapters. */
export const isManuscript = (text: string): boolean => HEADING.test(text) || hasScriptTags(text)

export const KEPT_TAGS = 'The file is a manuscript: its headings and tags were kept as they are.'
