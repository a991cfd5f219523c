// The ways to read footnotes and endnotes.

/** omit: not read. inline: after the paragraph with the mark. end: at the end of the chapter with the mark. */
export const NOTES = ['omit', 'inline', 'end'] as const
export type Notes = (typeof NOTES)[number]
