// @ts-check
// Runs before the frame: requests the modules of the page in the address together with those of the frame.

const list = document.querySelector('meta[name="studio-pages"]')?.getAttribute('content') ?? '{}'
/** @type {Map<string, readonly string[]>} */
const pages = new Map(Object.entries(JSON.parse(list)))
const page = location.hash.split(/[/?]/)[1] || 'home'
for (const name of pages.get(page) ?? []) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = new URL(name, import.meta.url).href
  document.head.append(link)
}

export {}
