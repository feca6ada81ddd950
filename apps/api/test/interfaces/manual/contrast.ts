/**
 * A script for a page: the texts whose contrast with what lies behind them is below the ratio, as WCAG 2 reckons it. Knows
 * plain colours only, which is all that our pages have.
 */
export function contrastsBelow(ratio: number): string {
  return `(${inPage})(${ratio})`
}

const inPage = String.raw`(ratio) => {
  const channels = (color) => color.match(/[\d.]+/g).map(Number)
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor)
      if (color[3] === undefined || color[3] === 1) return color
    }
    return [255, 255, 255]
  }
  const found = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement
    if (!texts.currentNode.data.trim() || !element.checkVisibility()) continue
    const [a, b] = [channels(getComputedStyle(element).color), behind(element)].map(luminance).sort((x, y) => y - x)
    const contrast = (a + 0.05) / (b + 0.05)
    if (contrast < ratio) found.push(contrast.toFixed(2) + ' ' + element.outerHTML.slice(0, 80))
  }
  return found
}`
