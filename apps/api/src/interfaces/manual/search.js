// The search in the header, over the guides and the reference. Its texts and its library are loaded when the field is first used.

const form = document.querySelector('.search')
const input = form.querySelector('input')
const results = form.querySelector('.results')
const MAX_RESULTS = 12

let loaded
function load() {
  loaded ??= Promise.all([
    import('/docs/minisearch.js'),
    fetch('/docs/search.json').then((answer) => answer.json()),
  ])
    .then(([{ default: MiniSearch }, texts]) => {
      const index = new MiniSearch({
        idField: 'href',
        fields: ['title', 'within', 'text'],
        storeFields: ['title', 'within'],
        searchOptions: {
          boost: { title: 4, within: 2 },
          prefix: true,
          fuzzy: (term) => (term.length > 4 ? 0.2 : 0),
        },
      })
      index.addAll(texts)
      return index
    })
    .catch((error) => {
      loaded = undefined
      throw error
    })
  return loaded
}

/** Requires all words first; if no text has all of them, texts with some of them. */
function find(index, words) {
  const all = index.search(words, { combineWith: 'AND' })
  return (all.length > 0 ? all : index.search(words)).slice(0, MAX_RESULTS)
}

async function show() {
  const words = input.value.trim()
  if (words === '') return close()
  let content
  try {
    const found = find(await load(), words)
    content = found.length > 0 ? listOf(found) : messageOf(`Nothing found for “${words}”.`)
  } catch {
    content = messageOf('The search cannot be loaded. Check the connection and type again.')
  }
  // A later call searches for the text that was typed meanwhile.
  if (input.value.trim() !== words) return
  results.replaceChildren(content)
  results.hidden = false
}

function listOf(found) {
  const list = document.createElement('ul')
  list.ariaLabel = 'Search results'
  for (const { id, title, within } of found) {
    const link = document.createElement('a')
    link.href = id
    const place = document.createElement('small')
    place.textContent = within
    link.append(title, place)
    const item = document.createElement('li')
    item.append(link)
    list.append(item)
  }
  return list
}

function messageOf(text) {
  const message = document.createElement('p')
  message.role = 'status'
  message.textContent = text
  return message
}

function close() {
  results.hidden = true
}

input.addEventListener('focus', () => load().catch(() => undefined), { once: true })
input.addEventListener('input', show)
input.addEventListener('focus', show)
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  await show()
  results.querySelector('a')?.click()
})
// The links are also reachable with Tab.
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    close()
    input.focus()
    close()
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || results.hidden) return
  event.preventDefault()
  const stops = [input, ...results.querySelectorAll('a')]
  stops[Math.min(Math.max(stops.indexOf(document.activeElement) + step, 0), stops.length - 1)].focus()
})
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget && !form.contains(relatedTarget)) close()
})
document.addEventListener('pointerdown', ({ target }) => {
  if (!form.contains(target)) close()
})
results.addEventListener('click', ({ target }) => {
  if (target.closest('a')) close()
})
// The / key focuses the search, as in most manuals.
document.addEventListener('keydown', (event) => {
  const { target } = event
  if (
    event.key !== '/' ||
    target.isContentEditable ||
    target.closest('input, textarea, select, [role=textbox]')
  )
    return
  event.preventDefault()
  input.focus()
})
