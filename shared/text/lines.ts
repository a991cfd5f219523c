/** The lines of a text with their line breaks. The last line may have none. */
export function linesOf(text: string): string[] {
  const lines: string[] = []
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from) + 1 || text.length
    lines.push(text.slice(from, end))
    from = end
  }
  return lines
}
