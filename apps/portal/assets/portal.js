// Enhancements. Every page works without this script.

// On narrow screens, scrolls the header so that the current link is visible.
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

// A part of a page that shows a running process replaces itself with its newer version until the process ends. The rest of the page, the
// focus, and the scroll position stay.
const live = document.querySelector('[data-live]')
if (live) follow(live)

function follow(part) {
  const seconds = Number(part.dataset.live)
  if (!seconds) return
  setTimeout(async () => {
    // An open confirmation, or a page in the background, is not replaced.
    if (document.hidden || part.querySelector('details[open]')) return follow(part)
    const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
    if (!response?.ok) return follow(part)
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const next = page.getElementById(part.id)
    // The process or the session has ended, so the whole page changes.
    if (!next?.dataset.live) return location.reload()
    part.replaceWith(next)
    follow(next)
  }, seconds * 1000)
}
