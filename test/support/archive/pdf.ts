// PDF files with one standard font, as other programs would write them.

/** `text` in one line at a position; sizes and positions in points from the lower left corner of a page of 400 × 600. */
export type PdfLine = { readonly text: string; readonly x?: number; readonly y: number; readonly size?: number }
type Options = {
  readonly outline?: readonly { readonly title: string; readonly page: number }[]
  readonly title?: string
  /** Added to the trailer, such as an encryption dictionary. */
  readonly trailer?: string
  /** The page tree contains itself. */
  readonly isCyclic?: boolean
}

const escaped = (text: string) => text.replaceAll(/[\\()]/g, '\\$&')

export function pdf(
  pages: readonly (readonly PdfLine[])[],
  { outline = [], title = 'A PDF', trailer = '', isCyclic = false }: Options = {},
): Buffer<ArrayBuffer> {
  const objects: string[] = []
  const add = (content: string) => objects.push(content)
  add(`<< /Type /Catalog /Pages 2 0 R${outline.length > 0 ? ' /Outlines 5 0 R' : ''} >>`)
  const first = 6 + outline.length
  const kids = pages.map((_, at) => `${first + at * 2} 0 R`)
  add(`<< /Type /Pages /Kids [${[...kids, ...(isCyclic ? ['2 0 R'] : [])].join(' ')}] /Count ${pages.length + (isCyclic ? 1 : 0)} >>`)
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  add(`<< /Title (${escaped(title)}) /Author (Ann) >>`)
  add(outline.length === 0 ? '<< >>' : `<< /Type /Outlines /First 6 0 R /Last ${5 + outline.length} 0 R /Count ${outline.length} >>`)
  for (const [at, { title: name, page }] of outline.entries()) {
    const next = at + 1 < outline.length ? ` /Next ${7 + at} 0 R` : ''
    add(`<< /Title (${escaped(name)}) /Parent 5 0 R${next} /Dest [${kids[page]} /Fit] >>`)
  }
  for (const [at, lines] of pages.entries()) {
    const stream = lines.map(({ text, x = 50, y, size = 10 }) => `BT /F1 ${size} Tf ${x} ${y} Td (${escaped(text)}) Tj ET`).join('\n')
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + at * 2 + 1} 0 R >>`,
    )
    add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`)
  }
  let file = '%PDF-1.4\n'
  const offsets = objects.map((content, at) => {
    const offset = file.length
    file += `${at + 1} 0 obj\n${content}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  return Buffer.from(
    `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF`,
    'latin1',
  )
}
