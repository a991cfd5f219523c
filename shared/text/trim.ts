// Trims one character. An expression such as /x+$/ searches from every run of it and takes quadratic time.

/** The text without the leading and trailing repetitions of `char`, one UTF-16 unit. */
export function trimOf(text: string, char: string): string {
  let start = 0
  while (text[start] === char) start++
  return trimEndOf(text.slice(start), char)
}

export function trimEndOf(text: string, char: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === char) end--
  return text.slice(0, end)
}
