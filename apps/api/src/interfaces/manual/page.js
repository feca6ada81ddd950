// Two enhancements of the manual's pages, which work without script: samples show the address of this service, and every sample has a copy
// button.

const WRITTEN = 'http://127.0.0.1:8080'

for (const code of document.querySelectorAll('main code')) {
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    text.data = text.data.replaceAll(WRITTEN, location.origin)
  }
}

for (const figure of document.querySelectorAll('.code')) {
  if (!navigator.clipboard) break
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('pre').textContent.trimEnd())
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  figure.append(button)
}
