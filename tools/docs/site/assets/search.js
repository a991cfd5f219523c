// Search of the site. The index is a script that is loaded with the first key, so that pages also work from a folder.
const box = document.querySelector('search')
const query = document.querySelector('#query')
const results = document.querySelector('#results')
const found = document.querySelector('#found')
const root = document.documentElement.dataset.root
const MOST = 12
let loading

function load() {
  loading ??= new Promise((resolve) => {
    const script = document.createElement('script')
    script.src = `${root}/assets/index.js`
    script.addEventListener('load', () => resolve(globalThis.documents))
    document.head.append(script)
  })
  return loading
}

/** More for words in the title of a page, then of a section, then in the text. Each word must be somewhere. */
function score([, title, heading, text], words) {
  let sum = 0
  for (const word of words) {
    const inTitle = title.toLowerCase().includes(word)
    const inHeading = heading.toLowerCase().includes(word)
    if (!inTitle && !inHeading && !text.toLowerCase().includes(word)) return 0
    sum += inHeading || (inTitle && heading === '') ? 10 : inTitle ? 3 : 1
  }
  return sum
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40)
  return `${at > 0 ? '… ' : ''}${text.slice(at, at + 120)}`
}

async function show() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean)
  const entries = await load()
  const rows = words.length === 0 ? [] : entries.map((entry) => [score(entry, words), entry]).filter(([points]) => points > 0)
  rows.sort(([a], [b]) => b - a)
  results.replaceChildren(
    ...rows.slice(0, MOST).map(([, [address, title, heading, text]]) => {
      const link = document.createElement('a')
      link.href = `${root}/${address}`
      const name = document.createElement('strong')
      name.textContent = heading === '' ? title : `${title}: ${heading}`
      const line = document.createElement('span')
      line.textContent = excerpt(text, words[0])
      link.append(name, line)
      const item = document.createElement('li')
      item.append(link)
      return item
    }),
  )
  results.hidden = rows.length === 0
  found.textContent = words.length === 0 ? '' : rows.length === 0 ? 'Nothing was found.' : `${Math.min(rows.length, MOST)} results`
  found.classList.toggle('hidden', words.length === 0 || rows.length > 0)
}

box.hidden = false
query.addEventListener('input', show)
box.addEventListener('keydown', (event) => {
  const links = [...results.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
  else if (event.key === 'ArrowUp') (links[at - 1] ?? query).focus()
  else if (event.key === 'Escape') {
    query.value = ''
    show()
    query.focus()
  } else return
  event.preventDefault()
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target instanceof HTMLInputElement) return
  event.preventDefault()
  query.focus()
})
// On a narrow page the list of documents begins closed.
if (matchMedia('(max-width: 900px)').matches) document.querySelector('.groups > details').open = false
