// What moves. Every page works without this script.

// On narrow screens the links of the header scroll: the present one is in sight.
document.querySelector('header nav [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })

// The copy buttons of secrets.
for (const button of document.querySelectorAll('[data-copy]')) {
  const field = document.getElementById(button.dataset.copy)
  button.hidden = false
  button.addEventListener('click', async () => {
    field.select()
    await navigator.clipboard.writeText(field.value)
    button.textContent = 'Copied'
  })
}

// A part of a page that shows something running replaces itself with its newer version until it has ended. The rest of the page,
// the focus and the scroll position stay.
const live = document.querySelector('[data-live]')
if (live) follow(live)

function follow(part) {
  const seconds = Number(part.dataset.live)
  if (!seconds) return
  setTimeout(async () => {
    // A question that is open, or a page in the background, is left as it is.
    if (document.hidden || part.querySelector('details[open]')) return follow(part)
    const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
    if (!response?.ok) return follow(part)
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const next = page.getElementById(part.id)
    // It has ended, or the session has: the whole page is another one.
    if (!next?.dataset.live) return location.reload()
    part.replaceWith(next)
    follow(next)
  }, seconds * 1000)
}
