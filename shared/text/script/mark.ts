// Marks in texts, `[mark:NAME]`: places whose time is reported while the text is spoken. Pure.

export const MARK_NAME_CHARS = 48
const NAME = /^[^\s[\]|]{1,48}$/u
const FORM = /^\[mark:([^\s[\]|]{1,48})\]$/iu
const MARKS = /\[mark:[^\s[\]|]{1,48}\] ?/giu

/** The name of a mark; null if `tag` is none. */
export const markOf = (tag: string): string | null => FORM.exec(tag)?.[1] ?? null
/** True for a name that a mark may have. */
export const isMarkName = (name: string): boolean => NAME.test(name)
export const markTag = (name: string): string => `[mark:${name}]`
export const withoutMarkTags = (text: string): string => text.replaceAll(MARKS, '')
